/**
 * What registries of MCP servers and clients with a "one click" installation read: `server.json`, which names the npm package,
 * and the manifest of an `.mcpb` bundle, which holds the built program.
 */

/** The published program. */
export interface Program {
  readonly name: string
  readonly version: string
  readonly engines: { readonly node: string }
}

const description = "Read-only tools over a partner's fiat and crypto transfers: search, total, reconcile, validate"

const settings = [
  { key: "base_url", variable: "TRANSFERS_BASE_URL", title: "Base URL", meaning: "The address of the service" },
  { key: "partner_id", variable: "TRANSFERS_PARTNER_ID", title: "Partner id", meaning: "The partner's identifier" },
  {
    key: "secret_key",
    variable: "TRANSFERS_SECRET_KEY",
    title: "Secret key",
    meaning: "The partner's secret key",
    isSecret: true,
  },
] as const

const repository = "https://github.com/transferkit/transferkit"

/** The name in the registry: whoever owns the repository owns the name. */
export const registryName = "io.github.transferkit/transferkit"

/** `server.json`. */
export const server = ({ name, version }: Program) => ({
  $schema: "https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json",
  name: registryName,
  title: "TransferKit",
  description,
  version,
  repository: { url: repository, source: "github" },
  packages: [
    {
      registryType: "npm",
      identifier: name,
      version,
      transport: { type: "stdio" },
      packageArguments: [{ type: "positional", value: "mcp" }],
      environmentVariables: settings.map(({ variable, meaning, ...rest }) => ({
        name: variable,
        description: meaning,
        isRequired: true,
        ...("isSecret" in rest ? { isSecret: true } : {}),
      })),
    },
  ],
})

/** `manifest.json` of the bundle, in which `dist` is that of the program. */
export const manifest = (
  { version, engines }: Program,
  tools: ReadonlyArray<{ readonly name: string; readonly description: string }>,
) => ({
  manifest_version: "0.3",
  name: "transferkit",
  display_name: "TransferKit",
  version,
  description,
  author: { name: "TransferKit" },
  repository: { type: "git", url: repository },
  license: "MIT",
  server: {
    type: "node",
    entry_point: "dist/transfers.cjs",
    mcp_config: {
      command: "node",
      args: ["${__dirname}/dist/transfers.cjs", "mcp"],
      env: Object.fromEntries(settings.map(({ key, variable }) => [variable, `\${user_config.${key}}`])),
    },
  },
  tools,
  user_config: Object.fromEntries(
    settings.map(({ key, title, meaning, ...rest }) => [
      key,
      {
        type: "string",
        title,
        description: meaning,
        required: true,
        ...("isSecret" in rest ? { sensitive: true } : {}),
      },
    ]),
  ),
  compatibility: { runtimes: { node: engines.node } },
})
