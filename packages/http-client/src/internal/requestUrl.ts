/** The URLs of partner-api.md, section 4. */
import type { SearchRequest } from "@transferkit/domain/SearchRequest"
import * as Paths from "@transferkit/http-api/Paths"

export const capabilitiesUrl = (base: string): string => base + Paths.capabilities

export const searchUrl = (base: string, request: SearchRequest): string => {
  const query: Array<string> = []
  if (request.external_id !== undefined) query.push(parameter("external_id", request.external_id))
  for (const value of request.created_at ?? []) query.push(parameter("created_at", value))
  if (request.limit !== undefined) query.push(parameter("limit", String(request.limit)))
  if (request.after_cursor !== undefined) query.push(parameter("after_cursor", request.after_cursor))
  return `${base}${Paths.search}${query.length === 0 ? "" : `?${query.join("&")}`}`
}

/** A colon may stand in a query as it is, and keeps timestamps readable in logs. */
const parameter = (name: string, value: string): string =>
  `${name}=${encodeURIComponent(value.toWellFormed()).replaceAll("%3A", ":")}`
