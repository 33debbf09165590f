/**
 * `server.json` as a registry of MCP servers accepts it: the rules of
 * https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json for the fields that ours has. Stricter than
 * that: it has no other field, since a misspelt one would be ignored.
 */
import * as Schema from "effect/Schema"

const Text = (most: number) => Schema.String.check(Schema.isMinLength(1), Schema.isMaxLength(most))

/** A version, not a range of them. */
const Version = Schema.String.check(Schema.isPattern(/^\d+\.\d+\.\d+(-[\w.-]+)?$/), Schema.isMaxLength(255))

const Url = Schema.String.check(Schema.makeFilter((text: string) => URL.canParse(text)))

const Input = {
  description: Schema.String,
  isRequired: Schema.optionalKey(Schema.Boolean),
  isSecret: Schema.optionalKey(Schema.Boolean),
  format: Schema.optionalKey(Schema.Literals(["string", "number", "boolean", "filepath"])),
}

/** The document. */
export const ServerJson = Schema.Struct({
  $schema: Schema.Literal("https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json"),
  name: Schema.String.check(
    Schema.isPattern(/^[a-zA-Z0-9.-]+\/[a-zA-Z0-9._-]+$/),
    Schema.isMinLength(3),
    Schema.isMaxLength(200),
  ),
  title: Text(100),
  description: Text(100),
  version: Version,
  repository: Schema.Struct({ url: Url, source: Schema.String }),
  packages: Schema.Array(
    Schema.Struct({
      registryType: Schema.Literals(["npm", "pypi", "cargo", "oci", "nuget", "mcpb"]),
      identifier: Schema.NonEmptyString,
      version: Version,
      transport: Schema.Struct({ type: Schema.Literal("stdio") }),
      packageArguments: Schema.Array(
        Schema.Struct({ type: Schema.Literal("positional"), value: Schema.NonEmptyString }),
      ),
      environmentVariables: Schema.Array(Schema.Struct({ ...Input, name: Schema.NonEmptyString })),
    }),
  ),
})
