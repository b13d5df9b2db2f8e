"""The clauses of English policies: several wordings for each, of which a document uses one.

`{company}` and `{holder}` are the parties as the document calls them, `{ref_x}` is a reference to
the clause with key x, any other name in braces is a fact of the policy. `body_deductible` is the
deductible before any endorsement.
"""

from dataclasses import dataclass


@dataclass(frozen=True)
class Clause:
    key: str
    section: str
    titles: tuple[str, ...]
    wordings: tuple[str, ...]
    needs: tuple[str, ...] = ()
    """Facts without which the clause is left out."""


# fmt: off
SECTION_TITLES: dict[str, tuple[str, ...]] = {
    "insuring": ("The Insurance", "Insuring Agreements", "Cover Provided"),
    "limits": ("Limits and Deductibles", "Limits of Insurance", "Amounts Payable"),
    "definitions": ("Definitions", "Meaning of Words", "Interpretation"),
    "extensions": ("Coverage Parts and Extensions", "Extensions of Cover"),
    "exclusions": ("Exclusions", "What Is Not Covered", "General Exclusions"),
    "conditions": ("General Conditions", "Conditions", "Policy Conditions"),
    "claims": ("Claims", "Claims Provisions", "What to Do After a Loss"),
    "general": ("General Provisions", "Miscellaneous", "Final Provisions"),
}
LABELS: dict[str, tuple[str, ...]] = {
    "policy_number": ("Policy Number", "Policy No.", "Policy number"),
    "insured": ("Named Insured", "Name of Insured", "Policyholder"),
    "insured_address": ("Mailing Address", "Address of Insured", "Insured's Address"),
    "insurer": ("Insurer", "Issued by", "Insurance Company"),
    "broker": ("Broker", "Producer", "Insurance Broker"),
    "premium": ("Annual Premium", "Total Annual Premium", "Premium for the Period"),
    "limit_each": ("Limit of Liability, each {each}", "Limit any one {each}", "Each {each} Limit"),
    "limit_aggregate": ("Annual Aggregate Limit", "Aggregate Limit", "Policy Period Aggregate"),
    "deductible": ("Deductible, each loss", "Deductible each and every loss", "Deductible"),
    "retroactive_date": ("Retroactive Date",),
    "counted": ("Number of {counted_things}",),
    "issued_on": ("Date of Issue", "Issued on"),
}
DECLARATIONS = ("Declarations", "Policy Declarations", "Schedule of Insurance", "Policy Schedule")
EXCLUSION_LEADS = (
    "This Policy does not cover loss, damage, cost or liability caused by or arising out of:",
    "{Company} shall not be liable for any loss directly or indirectly resulting from:",
    "The insurance does not apply to any of the following, whatever other cause may contribute:",
)
CLAUSES: tuple[Clause, ...] = (
    Clause("insuring", "insuring", ("Insuring Agreement", "Cover", "Operative Clause"), (
        "In consideration of the premium, and subject to all terms of this Policy, {company} agrees to indemnify {holder} against the loss described in the Coverage Parts shown in the Declarations, provided that it happens during the policy period.",
        "{Company} will, in return for payment of the premium, insure {holder} in the manner and to the extent set out below. No other obligation to pay sums or perform acts is covered unless expressly provided for.",
    )),
    Clause("period", "insuring", ("Policy Period", "Period of Insurance", "Term"), (
        "[[period_start,period_end|This insurance takes effect on {period_start} and expires on {period_end}]], at 12:01 a.m. standard time at the address of {holder}.",
        "[[period_start|Cover incepts at 00:01 hours on {period_start}]] and, unless cancelled earlier under {ref_cancellation}, [[period_end|runs until {period_end}]], both days at local standard time.",
        "The period of insurance is that stated in the Declarations. Cover neither begins before nor continues after that period, whatever the date on which this document was issued or signed.",
    )),
    Clause("reliance", "insuring", ("Reliance on the Application", "Basis of the Contract"), (
        "{Company} has relied on the statements made in the proposal dated before issue of this Policy. They form part of it and are deemed material to the acceptance of the risk.",
    )),
    Clause("limit_each", "limits", ("Limit of Liability", "Limit of Insurance", "Maximum Amount Payable"), (
        "[[limit_each|The most {company} will pay for any one {each} is {limit_each}]], regardless of the number of insureds, claimants or coverage parts involved. [[limit_aggregate|All payments in one policy period together shall not exceed {limit_aggregate} in the aggregate]].",
        "[[limit_each|The limit of liability is {limit_each} each {each}]]. [[limit_aggregate|The aggregate limit for the policy period is {limit_aggregate}]], and payment of any loss reduces it accordingly.",
        "[[limit_each|{Company}'s liability for any one {each} shall not exceed {limit_each}]]; [[limit_aggregate|the total for all loss in the policy period is limited to {limit_aggregate}]].",
    )),
    Clause("deductible", "limits", ("Deductible", "Excess", "Retention"), (
        "[[body_deductible|A deductible of {body_deductible} applies to each and every loss]] and shall be borne by {holder} uninsured, save where a higher amount is shown for the peril concerned in {ref_peril_deductibles}.",
        "{Company} shall be liable only for the part of each loss that exceeds the deductible. [[body_deductible|The deductible is {body_deductible} for each and every loss]]. Other deductibles by peril are in {ref_peril_deductibles}.",
        "[[body_deductible|From the amount of every adjusted loss the sum of {body_deductible} shall be deducted]]. Where two deductibles apply to one event, only the larger is taken; see also {ref_peril_deductibles}.",
    )),
    Clause("coinsurance", "limits", ("Coinsurance", "Average"), (
        "[[coinsurance|{Holder} shall maintain insurance of at least {coinsurance} of the value of the property (coinsurance)]], failing which {holder} shall bear a rateable share of any loss.",
        "[[coinsurance|A coinsurance percentage of {coinsurance} applies]]. If at the time of loss the sum insured is less than that share of the value at risk, the loss is reduced in the same proportion.",
    ), ("coinsurance",)),
    Clause("waiting_period", "limits", ("Waiting Period", "Time Retention"), (
        "[[waiting_period|No payment is due for business interruption during the first {waiting_period} after the event (the waiting period)]]. [[indemnity_period|Thereafter loss of income is indemnified for at most {indemnity_period}]].",
        "[[waiting_period|The waiting period for business interruption is {waiting_period} from the start of the interruption]]. [[indemnity_period|The maximum indemnity period is {indemnity_period}]].",
    ), ("waiting_period",)),
    Clause("retroactive_date", "limits", ("Retroactive Date", "Prior Acts"), (
        "[[retroactive_date|This Policy does not apply to any act committed before the retroactive date, which is {retroactive_date}]], whenever the claim is made.",
        "Cover is limited to claims first made in the policy period. [[retroactive_date|Acts that took place prior to {retroactive_date} (the Retroactive Date) are not covered]].",
    ), ("retroactive_date",)),
    Clause("notice_of_loss", "conditions", ("Notice of Loss", "Notification", "Duty to Report"), (
        "[[notice_of_loss|{Holder} shall report every loss to {company} in writing within {notice_of_loss} of discovery]]. [[late_notice|If {holder} fails to report a loss within that time, {company} may reduce the indemnity by the amount of the prejudice suffered]].",
        "As a condition precedent to cover, [[notice_of_loss|written notice of any loss must be given not later than {notice_of_loss} after it becomes known to {holder}]]. [[late_notice|Where notice is given late, the claim shall be forfeited unless {holder} proves that the delay was excusable]].",
        "[[notice_of_loss|Any event likely to give rise to a claim shall be notified to {company} within {notice_of_loss}]]. [[late_notice|Late notice entitles {company} to refuse payment of such part of the loss as prompt notice would have prevented]]. The address for notice is in {ref_claims_contact}.",
    )),
    Clause("cancellation", "conditions", ("Cancellation", "Termination of Cover", "Cancellation and Non-renewal"), (
        "[[cancellation_notice|{Company} may cancel this Policy by mailing to {holder} written notice of at least {cancellation_notice}]]. [[non_payment_notice|In case of non-payment of premium {non_payment_notice} suffice]]. {Holder} may cancel at any time, in which case [[short_rate|{company} shall refund {short_rate} of the unearned premium]].",
        "This Policy may be cancelled by {holder} at any time by written request. [[cancellation_notice|It may be cancelled by {company} upon {cancellation_notice} prior written notice]], or [[non_payment_notice|upon {non_payment_notice} notice if a premium is overdue]]. On cancellation by {holder} [[short_rate|the refund is {short_rate} of the pro rata unearned premium]].",
    )),
    Clause("renewal", "conditions", ("Renewal",), (
        "{renewal_sentence} {Company} shall send its terms in good time before expiry.",
    )),
    Clause("subrogation", "conditions", ("Subrogation", "Recovery from Others", "Transfer of Rights"), (
        "[[subrogation|Upon any payment under this Policy {company} is subrogated to all rights of recovery of {holder} against any person, and {holder} shall do nothing after loss to prejudice such rights]].",
        "[[subrogation|If {company} pays a loss, the rights of {holder} to recover from others pass to {company} up to the amount paid, and {holder} shall give all help needed to enforce them]].",
    )),
    Clause("premium_payment", "conditions", ("Premium", "Payment of Premium", "Premium Payment"), (
        "[[premium|The annual premium is {premium}]] and is payable in instalments as shown in {ref_instalments}. {tax_sentence}",
        "The premium stated in the Declarations falls due in the instalments of {ref_instalments}. {Company} may charge interest on any overdue instalment. {tax_sentence}",
    )),
    Clause("suit", "conditions", ("Legal Action Against the Insurer", "Limitation of Actions", "Suits"), (
        "[[suit_limitation|No suit shall be brought on this Policy later than {suit_limitation} after the loss]], nor unless {holder} has complied with all its terms.",
        "[[suit_limitation|Any action on a claim must be commenced within {suit_limitation} of the date on which the loss occurred]].",
    )),
    Clause("reporting_period", "conditions", ("Extended Reporting Period", "Discovery Period"), (
        "If this Policy is neither renewed nor replaced, [[reporting_period|claims may be reported during an extended reporting period of {reporting_period} after expiry]], provided that they arise from acts before expiry.",
        "[[reporting_period|On non-renewal {holder} is granted a discovery period of {reporting_period}]], without further premium, in which to report claims for acts before the end of this Policy.",
    ), ("reporting_period",)),
    Clause("claims_contact", "claims", ("Where to Report", "Notice Address", "Contact for Claims"), (
        "[[claims_address|Notice of claims shall be sent to {insurer}, Claims Department, {claims_address}]]. [[claims_phone|The claims office can be reached by telephone on {claims_phone}]], day and night.",
        "All notices of loss go to the Claims Department. [[claims_address|Its address is {claims_address}]]; [[claims_phone|claims telephone: {claims_phone}]].",
    )),
    Clause("law", "general", ("Governing Law", "Choice of Law", "Law and Jurisdiction"), (
        "[[law|This Policy shall be governed by and construed in accordance with the laws of {law}]], without regard to its rules on conflict of laws.",
        "[[law|The law of {law} governs this contract]], and its courts have jurisdiction subject to any agreement to arbitrate.",
    )),
    Clause("arbitration", "general", ("Arbitration", "Settlement of Disputes"), (
        "Any dispute arising out of this Policy shall be finally settled by arbitration. [[arbitrators|The tribunal shall consist of {arbitrators} arbitrator(s)]], each being a person with experience of insurance.",
        "[[arbitrators|Disputes which cannot be settled amicably are referred to {arbitrators} arbitrator(s)]] appointed under the rules in force at the time of the request.",
    ), ("arbitrators",)),
    Clause("territory", "general", ("Territory", "Territorial Scope", "Where Cover Applies"), (
        "[[territory|The insurance applies in {territory}]].",
        "[[territory|Territorial limits: {territory}]].",
    )),
    Clause("terrorism", "general", ("Terrorism", "Acts of Terrorism"), (
        "{terrorism_sentence} An act of terrorism means the use of force or violence, or the threat of it, committed for political, religious or ideological purposes with the intention to influence a government or put the public in fear.",
    )),
)

ENDORSEMENT_TEXTS: dict[str, tuple[str, ...]] = {
    "Waiver of Subrogation": (
        "Notwithstanding {ref_subrogation}, [[subrogation_waived|{company} waives its right of recovery against any party with whom {holder} has agreed in writing before the loss to waive it]].",
        "{Ref_subrogation} is amended as follows: [[subrogation_waived|rights of recovery are waived against the parent, subsidiary and affiliated companies of {holder}]].",
    ),
    "Additional Insured": (
        "The following are added as additional insureds, but only for liability arising out of the operations of {holder}:",
        "It is agreed that each organisation named below is included as an additional insured under this Policy:",
    ),
    "Amendment of Deductible": (
        "{Ref_deductible} is deleted and replaced by the following: [[deductible|The deductible is {deductible} for each and every loss]]. All other terms remain unchanged.",
        "It is understood and agreed that {ref_deductible} is replaced: [[deductible|the deductible for each and every loss is increased from {deductible_before} to {deductible}]].",
        "[[deductible|The amount of the deductible stated in {ref_deductible} is amended to read {deductible}]].",
    ),
    "Earthquake Extension": (
        "In consideration of an additional premium, [[earthquake|the insurance under this Policy is extended to loss caused by earthquake]], subject to all other terms.",
        "[[earthquake|Coverage for earthquake is added]]. All shocks within seventy-two hours are one event.",
    ),
    "Automatic Reinstatement": (
        "In the event of loss the sums insured are automatically reinstated from the date of loss, {holder} undertaking to pay an additional premium at the rate of the Policy.",
    ),
    "Loss Payee Clause": (
        "Loss, if any, is payable to {holder} and to any lender whose interest has been notified to {company}, as their interests may appear.",
    ),
    "Asbestos Exclusion": (
        "This Policy does not apply to any loss, cost or expense arising out of the manufacture, mining, use, sale, removal or existence of asbestos in whatever form.",
    ),
    "Cyber Clarification Clause": (
        "Loss of, or damage to, data or software is not physical damage for the purposes of this Policy, and consequential loss flowing from it is covered only where a Coverage Part says so.",
    ),
    "Premium Payment Clause": (
        "{Holder} undertakes that each instalment in {ref_instalments} will be paid in full on its due date. Failing this {company} may give notice under {ref_cancellation}.",
    ),
    "Claims Cooperation Clause": (
        "{Holder} shall give {company} all information and assistance that it requires, and shall not admit liability or incur cost without its consent.",
    ),
}

FILLERS: dict[str, tuple[tuple[str, str], ...]] = {
    "conditions": (
        ("Inspection of Premises", "{Company} may, but is not obliged to, inspect the premises and operations of {holder} at any reasonable time. Neither the right to inspect nor the making of any inspection or report is an undertaking that such premises or operations are safe, or that they comply with any law, rule or standard."),
        ("Books and Records", "{Holder} shall keep books and records from which the amount of a loss can be established, and shall allow {company} to examine and copy them during the policy period and for three years after it. Where records have been destroyed, the best evidence that is available shall be accepted."),
        ("Reasonable Precautions", "{Holder} shall take reasonable precautions to prevent loss, shall keep all property in a proper state of repair, and shall comply with the recommendations of makers and with all statutory requirements. A breach suspends cover only where it has contributed to the loss."),
        ("Material Change", "{Holder} shall tell {company} without delay of any change that increases the risk. {Company} may then adjust the premium or the terms with effect from the date of the change. If the parties do not agree within sixty days, either may end this Policy."),
        ("Other Insurance", "If other insurance covers the same loss, this Policy applies in excess of it and does not contribute with it, unless that insurance was bought specifically to apply in excess of this Policy. {Holder} shall give particulars of all such insurance when a claim is made."),
        ("Fraud", "If {holder}, or anyone acting on its behalf, makes a claim that is false or fraudulent in amount or otherwise, all benefit under this Policy is forfeited and {company} may recover what it has paid. The rights of innocent co-insureds are preserved."),
        ("Assignment", "No assignment of interest under this Policy binds {company} until its consent is endorsed hereon. If {holder} dies or is adjudged insolvent, this Policy covers its legal representative for the remainder of the policy period, as long as notice is given."),
        ("Adjustment of Premium", "Where the premium is calculated on estimates, {holder} shall declare the actual figures within ninety days after the end of the period, and the premium shall be adjusted accordingly, subject to any minimum that has been agreed. {Company} may audit the declaration."),
    ),
    "claims": (
        ("Assistance and Cooperation", "{Holder} shall cooperate with {company} in the investigation, settlement and defence of claims, shall attend hearings and trials, and shall assist in securing evidence and obtaining the attendance of witnesses. {Holder} shall not, except at its own cost, make any payment or assume any obligation."),
        ("Proof of Loss", "Within sixty days after a request {holder} shall send a signed and sworn proof of loss, stating the time and cause of the loss, the interest of {holder} and of all others in the property, the value of each item and all other contracts of insurance that may cover the loss."),
        ("Appraisal", "If the parties do not agree on the amount of a loss, each shall on the written demand of either select a competent and disinterested appraiser. The two select an umpire, and an award in writing by any two of the three determines the amount. Each party pays its own appraiser and half of the other costs."),
        ("Salvage", "{Holder} shall not abandon property to {company} without its consent. Recoveries and salvage, net of the cost of obtaining them, are shared in the proportions in which the loss has been borne, after {holder} has been made whole for its uninsured part."),
        ("Payment of Loss", "Adjusted losses are due and payable thirty days after {company} has received and accepted satisfactory proof, at its office or through the broker. Payments on account may be made where liability is not in question but the amount is still to be established."),
    ),
    "general": (
        ("Entire Agreement", "This Policy, its endorsements and the proposal are the entire agreement between the parties. No agent has authority to waive or change any of its terms, and no notice to or knowledge of an agent is a waiver unless endorsed hereon and signed by {company}."),
        ("Severability", "If any provision of this Policy is found invalid or unenforceable, the rest remains in force. Where a term conflicts with a statute that applies, the term is amended to conform to the minimum that the statute requires and no further."),
        ("Data Protection", "{Company} processes personal data to underwrite and administer this insurance and to handle claims, and may share them with reinsurers, loss adjusters, legal advisers and authorities where this is lawful. Details are in the privacy notice, of which a copy is sent on request."),
        ("Complaints", "A complaint should first be addressed to the person who handles the matter. If it is not resolved within eight weeks, {holder} may refer it to the ombudsman or regulator who is competent. This does not affect the right to take legal proceedings."),
        ("Sanctions Clause", "{Company} shall not be deemed to provide cover and shall not be liable to pay any claim or provide any benefit to the extent that to do so would expose it to any sanction, prohibition or restriction under resolutions of the United Nations or the laws of any competent authority."),
        ("Headings", "Headings are for convenience only and have no effect on meaning. Words in the singular include the plural. A reference to a statute includes its amendments and any rule made under it, and a reference to a party includes its successors."),
        ("Third Parties", "A person who is not a party to this Policy has no right to enforce any of its terms, but this does not affect any right or remedy of a third party that exists apart from it. The parties may vary or rescind this Policy without the consent of anyone else."),
        ("Electronic Documents", "This Policy may be issued and stored by electronic means. A copy taken from the records of {company} is evidence of its terms. Signatures made electronically are as binding as those made by hand."),
    ),
}
DUTIES = (
    "notify the police without delay of any theft or malicious act",
    "take all reasonable steps to prevent further loss",
    "keep damaged items available for inspection",
    "send on every writ, summons or letter of demand unanswered",
    "prepare an inventory of what was lost, with quantities, costs and values",
    "submit to examination under oath when reasonably required",
    "refrain from admitting liability or making any offer",
)
# fmt: on
