/** The one form of a base URL: lower case, without the usual port, credentials, query, fragment or a slash at its end. */

const usualPorts: Readonly<Record<string, string>> = { http: "80", https: "443" }

/** Undefined if a text is not a base URL. `sandbox:` names the transfers that no service has. */
export const normalized = (text: string): string | undefined => {
  if (text === "sandbox:") return text
  const found = /^(https?):\/\/(?:[^/?#]*@)?([^/?#@:[\]\s]+|\[[\da-f:.]+\])(?::(\d*))?(\/[^?#\s]*)?(?:[?#].*)?$/i.exec(
    text,
  )
  if (found === null) return undefined
  const [, scheme = "", host = "", port = "", path = ""] = found
  const protocol = scheme.toLowerCase()
  const shownPort = port === "" || port === usualPorts[protocol] ? "" : `:${port}`
  return `${protocol}://${host.toLowerCase()}${shownPort}${withoutSlashes(path)}`
}

const withoutSlashes = (path: string): string => {
  let end = path.length
  while (path[end - 1] === "/") end--
  return path.slice(0, end)
}

/** Whether a text is a base URL in that form. */
export const isNormal = (text: string): boolean => normalized(text) === text
