import * as V2 from "@modelcontextprotocol/client"
import * as V2Stdio from "@modelcontextprotocol/client/stdio"
/** Talks to `transfers mcp` with the official clients of both major versions. */
import { Client as ClientV1 } from "@modelcontextprotocol/sdk/client/index.js"
import { StdioClientTransport as StdioV1 } from "@modelcontextprotocol/sdk/client/stdio.js"

const [command, ...args] = process.argv.slice(2)
const ways = { 1: [ClientV1, StdioV1], 2: [V2.Client, V2Stdio.StdioClientTransport] }
for (const [major, [Client, Transport]] of Object.entries(ways)) {
  const client = new Client({ name: "consumer", version: "1.0.0" })
  await client.connect(new Transport({ command, args, stderr: "ignore" }))
  const { tools } = await client.listTools()
  const { structuredContent } = await client.callTool({ name: "summarise", arguments: { since: "2024" } })
  const next = await client.callTool({ name: "search_transfers", arguments: { limit: 1 } })
  console.log(
    `client ${major}: ${tools.length} tools, ${structuredContent.data.transfers} transfers, ${typeof next.structuredContent.data.next_cursor}`,
  )
  await client.close()
}
