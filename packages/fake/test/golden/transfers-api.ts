/** Made of the contract's OpenAPI document by openapi-typescript. */
export interface paths {
    "/v1/capabilities": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read capabilities
         * @description Supported countries, currencies and payment methods, and the transfer limits per fiat currency.
         */
        get: operations["capabilities"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/transfers/search": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Search for transfers
         * @description One page of the calling partner's transfers, with a cursor to the next one.
         */
        get: operations["search"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export type webhooks = Record<string, never>;
export interface components {
    schemas: {
        ErrorBody: {
            errors: components["schemas"]["ErrorEntry"][];
        };
        ErrorEntry: {
            code: string;
            message: string;
        };
        TransferPage: {
            results: components["schemas"]["Transfer"][];
            page_info: components["schemas"]["PageInfo"];
        };
        PageInfo: {
            end_cursor?: string | null;
            has_next_page: boolean;
        };
        Transfer: {
            id: string;
            external_id?: string | null;
            kind: ("cash_in" | "cash_out") | string;
            status: ("executing" | "approved" | "complete" | "declined") | string;
            network_transaction_id?: string | null;
            created_at: components["schemas"]["Timestamp"];
            updated_at?: components["schemas"]["Timestamp"] | null;
            source_total?: components["schemas"]["Money"] | null;
            source_total_usd?: components["schemas"]["Money"] | null;
            source_subtotal?: components["schemas"]["Money"] | null;
            source_subtotal_usd?: components["schemas"]["Money"] | null;
            destination_total?: components["schemas"]["Money"] | null;
            destination_total_usd?: components["schemas"]["Money"] | null;
            wallet_address?: string | null;
            payment_method?: string | null;
            service_fee?: components["schemas"]["Money"] | null;
            service_fee_usd?: components["schemas"]["Money"] | null;
            network_fee?: components["schemas"]["Money"] | null;
            network_fee_usd?: components["schemas"]["Money"] | null;
        };
        Money: {
            amount: components["schemas"]["Amount"];
            currency_code: components["schemas"]["CurrencyCode"];
        };
        CurrencyCode: string;
        Amount: string;
        /** Format: date-time */
        Timestamp: string;
        Capabilities: {
            supported_countries: {
                country_code: string;
                country_name: string;
            }[];
            supported_currencies: {
                currency_code: components["schemas"]["CurrencyCode"];
                legacy_currency_code: string;
                currency_name: string;
            }[];
            supported_payment_methods: {
                payment_method_code: string;
                payment_method_name: string;
            }[];
            transfer_limits: {
                [key: string]: {
                    min_transfer: components["schemas"]["Amount"];
                    max_transfer: components["schemas"]["Amount"];
                };
            };
        };
    };
    responses: never;
    parameters: never;
    requestBodies: never;
    headers: never;
    pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
    capabilities: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Capabilities */
            200: {
                headers: {
                    /** @description Identifies this response: quote it to support. */
                    "x-request-id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Capabilities"];
                };
            };
            /** @description A parameter is unknown or has a value that is not accepted. */
            400: {
                headers: {
                    /** @description Identifies this response: quote it to support. */
                    "x-request-id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description The credentials are missing or wrong. */
            401: {
                headers: {
                    /** @description Identifies this response: quote it to support. */
                    "x-request-id"?: string;
                    /** @description Asks for Basic credentials. */
                    "www-authenticate"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description Too many requests. */
            429: {
                headers: {
                    /** @description Identifies this response: quote it to support. */
                    "x-request-id"?: string;
                    /** @description Seconds to wait. */
                    "retry-after"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
        };
    };
    search: {
        parameters: {
            query?: {
                /**
                 * @description Transfers with this identifier, which the partner gave at transfer time.
                 * @example order-1042
                 */
                external_id?: string;
                /**
                 * @description A bound on the creation time, `<operator>:<timestamp>`: the operator is `gt`, `gte` or `lt`, the timestamp is RFC 3339. If it is repeated, all bounds must hold.
                 * @example [
                 *       "gte:2024-09-01T00:00:00Z",
                 *       "lt:2024-10-01T00:00:00Z"
                 *     ]
                 */
                created_at?: string[];
                /**
                 * @description The maximum number of transfers to return.
                 * @example 20
                 */
                limit?: number;
                /** @description The `end_cursor` of the previous page, with the same `external_id` and `created_at`. */
                after_cursor?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description TransferPage */
            200: {
                headers: {
                    /** @description Identifies this response: quote it to support. */
                    "x-request-id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TransferPage"];
                };
            };
            /** @description A parameter is unknown or has a value that is not accepted. */
            400: {
                headers: {
                    /** @description Identifies this response: quote it to support. */
                    "x-request-id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description The credentials are missing or wrong. */
            401: {
                headers: {
                    /** @description Identifies this response: quote it to support. */
                    "x-request-id"?: string;
                    /** @description Asks for Basic credentials. */
                    "www-authenticate"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description Too many requests. */
            429: {
                headers: {
                    /** @description Identifies this response: quote it to support. */
                    "x-request-id"?: string;
                    /** @description Seconds to wait. */
                    "retry-after"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
        };
    };
}
