"""What policies insure: for each line of business its parts, perils, exclusions and terms."""

from dataclasses import dataclass


@dataclass(frozen=True)
class LineOfBusiness:
    code: str
    titles: tuple[str, ...]
    each: str
    """What the limit is per: occurrence, claim, conveyance."""
    parts: tuple[str, ...]
    """Coverage parts."""
    extensions: tuple[str, ...]
    perils: tuple[str, ...]
    exclusions: tuple[str, ...]
    terms: tuple[tuple[str, str], ...]
    has_waiting_period: bool = False
    is_claims_made: bool = False
    unusual_endorsements: tuple[str, ...] = ()
    counted: str = "insured locations"
    """What the declarations count."""


COMMON_EXCLUSIONS = (
    "war, invasion, act of foreign enemy, hostilities whether war be declared or not, civil war, "
    "rebellion, revolution or military or usurped power",
    "ionising radiation or contamination by radioactivity from any nuclear fuel or nuclear waste",
    "wilful misconduct or gross negligence of {holder} or of its senior management",
    "any fine, penalty, or punitive, exemplary or multiplied damages",
    "confiscation, requisition or destruction by order of any government or public authority",
    "liability assumed under any contract, except to the extent that it would have attached in "
    "the absence of that contract",
    "any transaction or payment prohibited by trade or economic sanctions",
    "any circumstance known to {holder} before the inception of this Policy",
    "the insolvency of {holder}, of its suppliers or of its subcontractors",
    "a communicable disease or the fear or threat of one",
)
LINES = {
    line.code: line
    for line in (
        LineOfBusiness(
            code="property",
            titles=("Commercial Property Policy", "Property All Risks Insurance", "Business Property Insurance Policy"),
            each="occurrence",
            parts=("Buildings", "Stock and Contents", "Machinery and Plant", "Business Interruption", "Money and Securities", "Property in Transit"),
            extensions=("Debris removal", "Expediting expense", "Fire brigade charges", "Newly acquired locations", "Architects' and surveyors' fees"),
            perils=("Fire and lightning", "Windstorm", "Flood", "Escape of water", "Theft", "Subsidence"),
            exclusions=(
                "wear and tear, rust, corrosion, gradual deterioration or inherent vice",
                "insects, vermin, mould, wet rot or dry rot",
                "unexplained disappearance or shortage found on taking inventory",
                "settling, cracking, shrinkage or expansion of foundations, walls or floors",
                "faulty design, faulty workmanship or defective material",
            ),
            terms=(
                ("Occurrence", "all loss or damage arising out of one event, or out of a series of events having the same originating cause"),
                ("Actual Cash Value", "the cost to replace the property at the time of loss less a fair deduction for age and condition"),
                ("Premises", "the buildings and land at the addresses listed in the schedule, including yards within the boundary"),
                ("Stock", "raw materials, goods in process and finished goods held for sale"),
            ),
            has_waiting_period=True,
        ),
        LineOfBusiness(
            code="liability",
            titles=("Commercial General Liability Policy", "Public and Products Liability Insurance", "General Liability Insurance Policy"),
            each="occurrence",
            parts=("Bodily Injury and Property Damage", "Products and Completed Operations", "Personal and Advertising Injury", "Damage to Premises Rented", "Medical Expenses"),
            extensions=("Defence costs", "Cross liability", "Contingent motor liability", "Data protection defence", "Court attendance costs"),
            perils=("Bodily injury", "Property damage", "Trespass or nuisance", "Products", "Sudden pollution"),
            exclusions=(
                "the discharge, dispersal or escape of pollutants, unless sudden and accidental",
                "the ownership, maintenance or use of any aircraft or watercraft",
                "injury to any employee arising out of and in the course of employment",
                "the cost of recalling, repairing or replacing any defective product",
                "professional advice given for a fee",
            ),
            terms=(
                ("Occurrence", "an accident, including continuous or repeated exposure to substantially the same harmful conditions"),
                ("Bodily Injury", "physical injury, sickness or disease sustained by a person, including death resulting from any of these"),
                ("Product", "any goods, other than real property, manufactured, sold, handled or distributed by {holder}"),
                ("Pollutant", "any solid, liquid, gaseous or thermal irritant, including smoke, vapour, soot, acids and waste"),
            ),
            counted="employees",
        ),
        LineOfBusiness(
            code="professional",
            titles=("Professional Indemnity Policy", "Professional Liability Insurance", "Errors and Omissions Policy"),
            each="claim",
            parts=("Civil Liability", "Defence Costs", "Loss of Documents", "Dishonesty of Employees", "Breach of Confidentiality"),
            extensions=("Emergency costs", "Mitigation costs", "Joint ventures", "Attendance at hearings", "Consultants and agents"),
            perils=("Negligent act, error or omission", "Breach of professional duty", "Libel and slander", "Infringement of copyright"),
            exclusions=(
                "any trading loss or trading liability incurred by any business managed by {holder}",
                "the provision of a guarantee or warranty of fitness beyond reasonable skill and care",
                "any claim made by one insured against another",
                "any survey or valuation not made by a qualified person",
                "the ownership or use of land, buildings, vehicles or vessels",
            ),
            terms=(
                ("Claim", "a written demand for damages, or the service of suit or arbitration, first made against {holder} during the period of insurance"),
                ("Professional Services", "the advice, design and supervision that {holder} performs for others for a fee"),
                ("Documents", "deeds, plans, records and computer data, but not bearer bonds, coupons, bank notes or currency"),
                ("Interrelated Acts", "acts that have as a common nexus any fact, circumstance, event or cause"),
            ),
            is_claims_made=True,
            unusual_endorsements=("Earthquake Extension", "Loss Payee Clause"),
            counted="professional staff",
        ),
        LineOfBusiness(
            code="cyber",
            titles=("Cyber and Privacy Policy", "Cyber Risk Insurance", "Information Security and Privacy Insurance Policy"),
            each="claim",
            parts=("Privacy Liability", "Network Interruption", "Cyber Extortion", "Data Restoration", "Incident Response Expenses"),
            extensions=("Bricking of hardware", "Reputation protection", "Payment card assessments", "Dependent business interruption", "Telephone fraud"),
            perils=("Malicious code", "Unauthorised access", "Denial of service", "Employee error", "Theft of data"),
            exclusions=(
                "failure of power, utilities, satellites or telecommunications outside the control of {holder}",
                "use of software that is unlicensed or no longer supported by its maker",
                "the theft of trade secrets or infringement of any patent",
                "betterment, being the cost to improve a computer system beyond its state before the event",
                "bodily injury or damage to tangible property",
            ),
            terms=(
                ("Claim", "a written demand, regulatory inquiry or suit first received by {holder} during the period of insurance"),
                ("Security Breach", "unauthorised access to, or use of, a computer system operated by or for {holder}"),
                ("Personal Data", "information from which a natural person can be identified, in any form"),
                ("Period of Restoration", "the time from the interruption until operations are restored, or with due diligence would have been"),
            ),
            has_waiting_period=True,
            is_claims_made=True,
            unusual_endorsements=("Earthquake Extension", "Loss Payee Clause"),
            counted="records held",
        ),
        LineOfBusiness(
            code="cargo",
            titles=("Marine Cargo Open Policy", "Marine Cargo Insurance", "Cargo and Storage Policy"),
            each="conveyance",
            parts=("Ocean Shipments", "Air Shipments", "Inland Transit", "Storage", "Exhibitions"),
            extensions=("General average and salvage", "Accumulation", "Concealed damage", "Brands and labels", "Control of damaged goods"),
            perils=("Stranding, sinking or collision", "Jettison", "Theft, pilferage and non-delivery", "Heavy weather", "Temperature variation"),
            exclusions=(
                "delay, even though the delay is caused by a risk insured against",
                "insufficiency or unsuitability of packing or preparation of the goods",
                "ordinary leakage, ordinary loss in weight or volume, or ordinary wear and tear",
                "unseaworthiness of the vessel to which {holder} is privy at the time of loading",
                "strikes, lockouts, labour disturbances, riots or civil commotions",
            ),
            terms=(
                ("Conveyance", "any one vessel, aircraft, vehicle or connecting means of transport"),
                ("Goods", "the merchandise described in the schedule, including packing and labels"),
                ("Insured Value", "the invoice value plus freight and charges, plus the agreed percentage for anticipated profit"),
                ("Transit", "the ordinary course of carriage from the warehouse of the sender to that of the receiver"),
            ),
            counted="declared shipments",
        ),
        LineOfBusiness(
            code="fleet",
            titles=("Commercial Motor Fleet Policy", "Motor Fleet Insurance", "Business Auto Policy"),
            each="accident",
            parts=("Third Party Injury", "Third Party Property Damage", "Own Damage", "Uninsured Motorists", "Medical Payments"),
            extensions=("Windscreen breakage", "Towing and recovery", "Replacement vehicle", "Foreign use", "Personal effects"),
            perils=("Collision", "Fire", "Theft of vehicle", "Glass breakage", "Vandalism"),
            exclusions=(
                "driving by any person who does not hold a valid licence for the class of vehicle",
                "mechanical or electrical breakdown, or damage to tyres by braking or punctures",
                "use of a vehicle in any race, rally, trial or speed test",
                "theft of a vehicle left unattended with its key in or on it",
                "loss of use, depreciation or reduction in market value following repair",
            ),
            terms=(
                ("Accident", "a sudden event, neither expected nor intended, arising from the use of an insured vehicle"),
                ("Insured Vehicle", "any vehicle listed in the schedule, and any trailer while attached to it"),
                ("Market Value", "the cost of a vehicle of the same make, model, age and condition at the date of loss"),
                ("Permitted Driver", "any person driving with the consent of {holder} and holding a licence"),
            ),
            unusual_endorsements=("Earthquake Extension", "Asbestos Exclusion"),
            counted="insured vehicles",
        ),
        LineOfBusiness(
            code="directors",
            titles=("Directors and Officers Liability Policy", "Management Liability Insurance", "Directors' and Officers' Insurance"),
            each="claim",
            parts=("Non-indemnified Loss", "Company Reimbursement", "Entity Securities Claims", "Investigation Costs", "Employment Practices"),
            extensions=("Retired directors", "Extradition costs", "Spousal liability", "Outside directorships", "Crisis communication"),
            perils=("Breach of duty", "Misleading statement", "Breach of trust", "Wrongful dismissal"),
            exclusions=(
                "the gaining of any profit or advantage to which an insured person was not legally entitled",
                "any deliberately dishonest or fraudulent act, once finally adjudicated",
                "any pension, profit sharing or employee benefit scheme",
                "any public offering of securities made during the period of insurance",
                "bodily injury, sickness, emotional distress or damage to tangible property",
            ),
            terms=(
                ("Claim", "any written demand, civil, criminal or regulatory proceeding against an insured person for a wrongful act"),
                ("Insured Person", "any natural person who was, is or becomes a director or officer of {holder}"),
                ("Wrongful Act", "any actual or alleged breach of duty, neglect, error, misstatement or omission in that capacity"),
                ("Subsidiary", "any entity of which {holder} holds more than half of the voting rights"),
            ),
            is_claims_made=True,
            unusual_endorsements=("Earthquake Extension", "Loss Payee Clause"),
            counted="insured persons",
        ),
    )
}  # fmt: skip
