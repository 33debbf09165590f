/** What the codes of findings mean, in the words of docs/codes.md. */
import type * as Audit from "@transferkit/domain/Audit"
import type * as Validation from "@transferkit/domain/Validation"

type Code = Audit.Code | Validation.Code

/** Meanings by code. A test compares them with the page. */
export const meanings: Readonly<Record<Code, string>> = {
  missing_field: "A field that is needed is absent, null, or not of its type.",
  duplicate_external_id:
    "The external_id is in use: by an earlier proposal of the list, file or batch of messages, or by a transfer.",
  invalid_external_id:
    "The service rejects the external_id when it is looked up. Found by the lambda's duplicate check only.",
  unsupported_country: "The country is not in supported_countries.",
  unsupported_payment_method: "The payment method is not in supported_payment_methods.",
  invalid_amount:
    "The amount is not text in plain decimal notation, or is not above zero. If the minimum is above zero, below_minimum is found instead.",
  unsupported_currency: "The currency is not in supported_currencies, or is fiat where the other side is fiat already.",
  not_fiat: "Both sides are crypto; a transfer has fiat on one side.",
  no_limit_for_currency: "transfer_limits has no entry for the fiat currency, so no amount of it can be accepted.",
  too_many_fraction_digits: "The amount is written with more fraction digits than the limits of its currency have.",
  below_minimum: "The amount of the fiat side is below min_transfer.",
  above_maximum: "The amount of the fiat side is above max_transfer.",
  updated_before_created: "updated_at is before created_at.",
  missing_network_transaction_id: "The transfer is complete and has no network_transaction_id.",
  negative_amount: "An amount is below zero.",
  usd_not_in_usd: "A field whose name ends in _usd is not in fiat/USD.",
  total_not_sum_of_parts:
    "source_total is not source_subtotal + service_fee + network_fee, where all four are there and in one currency.",
  fee_off_schedule:
    "A fee is further from the fee of its row in the schedule than the row accepts. nearest is the fee of the schedule.",
  fee_not_in_schedule: "No row of the schedule fits the fee: its currency, the kind and the payment method.",
  fee_in_several_rows: "Several rows of the schedule fit the fee, and none is preferred.",
  fee_not_comparable:
    "The transfer lacks the fee, or the base of its row, or the base is in another currency than the fee.",
}

/** Every code. */
export const codes = Object.keys(meanings).filter((name): name is Code => Object.hasOwn(meanings, name))
