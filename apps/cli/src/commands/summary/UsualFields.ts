/** The amounts that a summary totals unless `--field` names others. */
export const usualFields = ["source_total", "destination_total", "service_fee"] as const
