/** How the site's search ranks pages. */

/**
 * Guides come before the help and the modules, which hold the same words more often. The browser runs this as text: it uses
 * no name from outside.
 */
export const boostDocument = (id: string): number => {
  if (id.startsWith("/guides/")) return 4
  if (/^\/(?:tutorial|tasks|start|troubleshooting)/.test(id)) return 2
  return /^\/(?:api|reference|decisions|quality|bench)/.test(id) ? 0.4 : 1
}
