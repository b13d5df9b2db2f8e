"""What stands behind a label or beside a role: "Broker: X", "issued by X", `X ("Insurer")`."""


