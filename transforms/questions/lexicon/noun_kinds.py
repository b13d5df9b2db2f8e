"""What kind of answer a head noun asks for: dates, sums, names …

A plural stands here only where it means something else than its singular. A kind is a set over all
languages; German compounds match by their last part ("Kündigungsfrist").
"""

from transforms.text import word_set

# fmt: off
NOUN_KINDS: dict[str, frozenset[str]] = {
    "date": word_set("""
        date day deadline anniversary expiry expiration inception commencement year month birthday
        effective_time launch maturity enactment signing payday closing cutoff cut-off due_date
        start end publication
        release entry_into_force
        datum tag stichtag beginn ablaufdatum termin ablauf inkrafttreten fecha dia vencimiento
        echeance jour
        quarter go-live kickoff kick-off annee jahr ende falligkeit fristende inicio
        point_in_time moment
    """),
    "duration": word_set("""
        period duration term half-life notice lifetime lifespan tenure tenor timeframe timeline
        data_retention record_retention log_retention document_retention statute_of_limitations
        length_of_stay time_limit length interval tail validity shelf-life shelf_life service_life
        leave
        probation time lead-time delay wait turnaround runtime sentence moratorium timespan lookback
        life useful_life remaining_life life_span average_maturity weighted-average_maturity
        remaining_maturity working_hours work_week time_frame span half_life downtime
        time_objective point_objective rto rpo runway cooling-off
        lock-up follow-up notice_requirement holding_time window uptime_window survival
        duree delai preavis periode frist dauer laufzeit zeit wartezeit karenzzeit haftzeit
        zeitraum karenz plazo duracion periodo vigencia preaviso carencia
        garden_leave holiday_entitlement leave_entitlement vacation_entitlement cycle horizon
        break rest seniority sabbatical stay retention_time days_outstanding tiempo urlaub
        timeout working_week deadline_extension
        laytime flight_time
    """),
    "percent": word_set("""
        rate percentage percent margin yield coinsurance co-insurance commission turnout apr apy
        share portion proportion fraction markup discount growth stake ownership uptake prevalence
        incidence probability likelihood loss_ratio combined_ratio expense_ratio payout_ratio
        ownership_interest cost_sharing overlap employer_match approval_rating
        risk_reduction confidence_level alcohol_content fat_content moisture_content
        voting_threshold majority error_rate participation coupon spread efficacy absenteeism
        inflation
        unemployment churn dilution
        utilization
        utilisation penetration adherence sensitivity specificity purity mortality gearing ltv wacc
        loan-to-value uptime return cost_ratio vat occupancy rebate quota roe roi irr cagr roa
        taux pourcentage quote-part marge satz prozentsatz anteil zinssatz steuersatz rabatt
        tasa porcentaje tipo margen proporcion comision coaseguro
        staff_turnover employee_turnover attrition haircut solvency_ratio capital_ratio
        equity_ratio cost-income_ratio claims_ratio tier_1_ratio shareholding
        escalation indexation uplift company_match match pass_mark quote_part schadenquote
        eigenkapitalquote kostenquote
        kupon zinskupon no-claims_bonus no-claim_bonus claims_bonus claim_bonus
        bioavailability weighting protein_binding payment_interest default_interest
        penalty_interest delay_interest verzugszinsen verzugszins
        availability
        rent_increase price_increase annual_increase salary_increase fee_increase pay_rise
        pay_raise escalator service_level level_of_confidence
        efficiency
        brokerage
    """),
    "amount": word_set("""
        amount premium deductible limit sublimit sub-limit excess cost price fee charge fine penalty
        revenue income profit loss expense expenditure capex opex ppe ppne pp&e ebitda ebitdar
        ebit eps nav gdp aum par_value nominal_value turnover cash
        cash_flow cashflow flow sale budget salary wage pay bonus allowance reimbursement
        payment compensation cap liability asset debt equity rent deposit tax benefit sum total
        contribution dividend interest_expense proceeds balance funding grant subsidy copay
        copayment co-payment maximum surcharge royalty stipend indemnity receivable payable
        retention investment inventory depreciation amortization depreciation-and-amortization
        goodwill earning spending
        outlay consideration valuation worth credit loan mortgage principal instalment installment
        retainer threshold debt_maturity financing refund payout entitlement per-diem endowment
        appropriation levy toll tariff capitalization backlog allocation reserve capital
        subscription invoice bill honorarium honoraria ceiling floor_price turnover_threshold
        insured_value market_value book_value contract_value property_value fair_value face_value
        replacement_value net_worth hourly_rate damages severance bail bond working_capital
        borrowing writedown write-off impairment minimum envelope contingency award estimate
        rental freight postage buyback repurchase overdraft exposure scholarship bursary fare
        pension annuity gratuity payroll overhead tuition out-of-pocket sir tiv holdback escrow
        downpayment advance surplus shortfall deficit settlement co-pay prize debt_service
        gain cash_position market_capitalisation capitalisation collateral_value credit_line
        write-down
        provision_for_losses funding_gap money ransom reserve_fund savings burn_rate
        lifetime_maximum
        aggregate stop-loss attachment_point residual_value salvage_value asset_value
        enterprise_value fund-size interest base_salary
        montant prime plafond prix cout frais somme indemnite cotisation loyer revenu
        benefice chiffre depense redevance amende remuneration salaire franchise
        betrag beitrag pramie selbstbeteiligung selbstbehalt summe kosten preis gebuhr hohe miete
        umsatz gewinn deckungssumme versicherungssumme honorar vergutung entschadigung gehalt strafe
        kaution
        importe prima deducible limite precio coste costo suma cuota tarifa indemnizacion alquiler
        ingreso gasto franquicia multa salario presupuesto renta fianza
        carrying_value estimated_value cash_value surrender_value actual_cash_value
        agreed_value declared_value assessed_value appraised_value insurable_value
        redemption_value liquidation_value monetary_value notional_value transaction_value
        order_value total_value land_value home_value purchase_commitment capital_commitment
        loan_commitment minimum_commitment spend_commitment spending_commitment
        volume_commitment borrowing_capacity debt_capacity financing_capacity headroom
        notional spend outflow inflow receipt remittance emolument bounty sponsorship voucher
        gmv arr mrr arpu ffo affo bvps dps top-line topline bottom-line net_result
        operating_result facility_size fund_size deal_size ticket_size loan_size tax_provision
        loss_provision debt_provision income_tax_provision buy-back buyout dues kapital grundkapital
        stammkapital zinsen entgelt lohn zuschuss schuld vermogen jahresuberschuss grenze
        honorare dette subvention caution solde honoraires seuil remboursement penalite
        dividende monto saldo deuda subvencion ayuda reembolso penalizacion cuantia umbral
        repurchase_authorization buyback_authorization repurchase_program buyback_program
        annual_commitment monthly_commitment total_commitment revenue_commitment
        minimum_purchase purchase_obligation minimum_order
        stamp_duty customs_duty excise_duty import_duty loan_value earn-out earnout
        capital_adjustment price_adjustment sg&a relocation_assistance tuition_assistance
        financial_assistance price_tag taxable_base tax_base assessment_base premium_base
        order_size
        unamortized_discount unamortised_discount debt_discount
        valeur versicherungswert zeitwert neuwert verkehrswert buchwert marktwert
    """),
    "identifier": word_set("""
        identifier id code isin cusip ticker isbn doi email e-mail email_address e-mail_address
        mail_address ip_address web_address url website hotline phone telephone fax reference vin
        license_plate licence_plate web_page
        iban bic swift lei ein symbol webpage helpline postcode username login password hashtag
        phone_number telephone_number fax_number policy_no policy_id
        numero courriel nummer kennung telefon telefonnummer policennummer kennzeichen
        telefono correo codigo
        serial barcode sku ssn tin uei cve orcid pmid link hyperlink mailbox inbox
        toll-free_line e-mail-adresse emailadresse mailadresse internetadresse webadresse
        aktenzeichen
        uin gstin cin npi sin nif siret siren cif dni abn acn crn utr eori irn arn
        issn eissn pmcid
        bank_account
    """),
    "number": word_set("""
        number count quantity temperature score value age size weight ratio headcount population
        dimension capacity concentration pressure speed volume density dose dosage level distance
        height width depth area voltage batch_size learning_rate multiple multiplier quorum version
        rank accuracy precision recall bleu bleu_score f1 perplexity epoch layer parameter strength
        sample_size dropout mileage beam_size vocabulary_size radius humidity altitude mass
        key_length password_length sequence_length context_length word_length character_length
        overall_length vehicle_length pipe_length cable_length track_length road_length
        horsepower payload thickness acreage footage ph wavelength torque calorie energy consumption
        sampling_frequency leverage bitrate
        frequency_band character_limit reading iq bmi p-value deviation variance coefficient mean
        expectancy significance_level decay momentum seed stride dimensionality kernel_size
        hidden_size temperature_setting
        wattage bandwidth throughput latency resolution dropout_rate
        nombre quantite poids taille quotient anzahl zahl menge temperatur alter
        gewicht grosse wert cantidad edad peso tamano valor
        workforce tolerance load diameter circumference perimeter slope gradient angle
        emission footprint confidence_interval rouge auc auroc mse rmse mae flops page_limit
        word_limit size_limit rate_limit occupancy_limit baggage_allowance luggage_allowance
        altersgrenze effectif superficie
        interest_coverage debt_coverage service_coverage dscr
        posologie dosierung dosis grade_point_average
        asset_turnover inventory_turnover receivable_turnover maximum_occupancy beta
        engine_power rated_power motor_power output_power power_output boiling_point
        melting_point flash_point freezing_point inter-annotator_agreement annotator_agreement
        inter-rater_agreement memory disk_space floor_space space electricity rainfall tonnage
        sentence_length document_length string_length field_length text_length input_length
        limit_value threshold_value
        alpha lambda epsilon gamma sigma
    """),
    "address": word_set("""
        head_office branch_office principal_office main_office corporate_office
        address location headquarter seat place site venue domicile premises residence
        registered_office whereabouts mailing_address
        adresse siege lieu sitz anschrift standort ort direccion domicilio sede lugar ubicacion
        birthplace hometown workplace erfullungsort leistungsort versicherungsort dienstort
        arbeitsort
    """),
    "name": word_set("""
        name title party counterparty law jurisdiction state country court company corporation firm
        entity organization organisation agency authority body segment endorsement function category
        subcategory objective contract agreement policy person individual ceo cfo cto coo chair
        chairman chairperson chairwoman president director secretary member committee board bank
        agent insured insurer broker underwriter auditor beneficiary claimant trustee landlord
        tenant manufacturer supplier vendor licensor licensee lessor lessee employer employee
        guarantor borrower lender seller buyer purchaser subsidiary affiliate partner customer
        client competitor product brand drug medicine medication substance ingredient excipient
        vaccine language currency region city province territory sponsor investigator regulator
        ministry department office officer manager administrator controller processor subprocessor
        sub-processor owner author editor publisher signatory witness notary arbitrator mediator
        test examination coverage_part
        provider contractor subcontractor principle control tier domain pillar standard framework
        programme program project plan fund trademark patent license licence form schedule annex
        appendix exhibit chapter section module component phase stage dataset optimizer algorithm
        tool software system vehicle hospital clinic school university institution union
        association carrier reinsurer assignee transferee industry sector market geography division
        business unit facility plant building stock exchange index representative counsel attorney
        lawyer supervisor coordinator ombudsman commissioner payee payer obligor plaintiff defendant
        applicant respondent consultant accountant registrant occupant resident participant
        amendment addendum regulation directive statute act treaty convention certification
        certificate accreditation award_name subsidiary_company metric benchmark optimiser
        activation_function architecture backbone tokenizer compiler protocol format nationality
        occupation profession species manufacturer_name model_name subfunction model
        family part journal port road district permit package metal laboratory cookie baselines
        juridiction
        compagnie entreprise banque executive network pharmacy database
        profile driver
        municipality town village commune canton borough parish surety depositary heir
        spouse dependent judge minister host chief head deputy captain
        spokesperson contact architect engineer surgeon nurse delegate airport river bridge station
        material fuel chemical compound virus gene protein crop colour color make team club
        line_of_business point_of_contact product_line business_line holiday nation republic levels
        nachtrag nachtrage
        nom partie loi droit tribunal societe assureur assure courtier beneficiaire etat pays
        bailleur locataire vendeur acheteur employeur autorite organisme signataire prestataire
        fournisseur souscripteur preneur devise langue
        partei recht gesetz gericht gerichtsstand versicherer versicherungsnehmer makler firma
        gesellschaft behorde land staat vermieter mieter verkaufer kaufer begunstigter wahrung
        arbeitgeber unternehmen bezugsberechtigter sprache vertragspartei
        nombre ley parte jurisdiccion aseguradora asegurado corredor empresa sociedad tomador
        beneficiario pais arrendador arrendatario autoridad proveedor vendedor comprador moneda
        hardware gpu processor_model device_name instrument questionnaire conference workshop
        airline hotel platform app browser group expert recipient registrar parent
        parent_company successor clearing_house custodian cohort arm stakeholder class dialect
        abteilung stelle anwalt notar prufer abschlussprufer wirtschaftsprufer
        aufsichtsbehorde verantwortlicher verantwortliche ansprechpartner kunde lieferant
        hersteller norm richtlinie verordnung kanton stadt gemeinde gremium ausschuss vorstand
        geschaftsfuhrer kostentrager versicherungsgesellschaft rechtsordnung avocat notaire
        commissaire auditeur ministere ville personne responsable sous-traitant destinataire
        fabricant titulaire mandataire gestionnaire directeur filiale actionnaire banco
        organismo entidad ministerio municipio ciudad presidente fabricante accionista abogado
        notario persona titular encargado
        place_of_jurisdiction class_of_business corpus
        emittent emittentin zahlstelle schuldner glaubiger treuhander burge auftraggeber
        auftragnehmer
        pollutant contaminant allergen pathogen pest
        pilot physician crew midwife flag
    """),
    "text": word_set("""
        benefits terms interests exclusion peril risk factor right obligation condition
        requirement step procedure duty
        type kind sort remedy event contraindication definition purpose scope reason cause effect
        measure exception warranty covenant restriction provision clause process role responsibility
        service symptom reaction indication interaction warning precaution criterion option activity
        method technique approach rule guideline recommendation data information strategy nature
        basis mechanism consequence feature finding result outcome conclusion impact difference
        trend challenge opportunity priority goal milestone deliverable damage hazard
        treatment practice safeguard use example item ground circumstance case matter topic status
        business_model payment_schedule vesting_schedule dosing_schedule dosage_schedule
        treatment_schedule work_schedule shift_schedule training_schedule amortization_schedule
        vaccination_schedule maintenance_schedule release_schedule credit_rating main_driver
        key_driver
        growth_driver cost_driver dress_code building_code accounting_estimate accounting_policy
        tax_return standard_of_care
        order_of_precedence burden_of_proof code_of_conduct conflict_of_interest change_of_control
        form_of_payment means_of_payment method_of_payment point_of_law unit_of_measure
        position frequency document record evidence proof coverage cover protection prohibition
        limitation assumption representation action initiative complaint incident breach dispute
        proceeding litigation acquisition change update improvement argument benefit_package rating
        mitigation schedule_of_payments mission vision stance meaning wording statement message
        values pressures contingencies obligation_to eligibility qualification skill workflow
        rationale
        justification background
        garantie motif couverture etape droits
        ausschluss gefahr pflicht bedingung grund leistung voraussetzung schaden risiko
        obligacion condicion derecho motivo riesgo garantia cobertura requisito paso
        main_contribution key_contribution principal_contribution scientific_contribution
        novel_contribution patient_population study_population
        target_population detail manner way means extent order_of_priority
        insurable_interest security_interest power_of_attorney
        obliegenheit obliegenheiten
    """),
}
"""Kinds of nouns by what their answer is; a term of two words goes before its last word."""

FALSE_FRIENDS: dict[tuple[str, str], str] = {("es", "nombre"): "name"}
"""Words that another language has with another kind: language, word, kind."""
# fmt: on
