/** The console of the fake, over a fake in this page, and clients to send it requests. */
import { useRef, useState } from "preact/hooks"
import type * as FakeFrame from "./FakeFrame.ts"

/** Where the console's frame is, beside the page. */
const frameUrl = new URL("fake/index.html", document.baseURI).href

export const FakeTool = () => {
  const frame = useRef<HTMLIFrameElement>(null)
  const [outcome, setOutcome] = useState("")
  const isSending = useRef(false)
  const send = async (what: keyof FakeFrame.Clients) => {
    const clients = frame.current?.contentWindow?.transferkit
    if (isSending.current || clients === undefined) return
    isSending.current = true
    setOutcome("Reading…")
    setOutcome(await clients[what]())
    isSending.current = false
  }
  return (
    <>
      <p class="note">
        The console that <code>transfers-fake</code> serves, over a fake in this page. Add a fault, then send requests
        and see what a client makes of it. Nothing listens, and nothing leaves the page.
      </p>
      <p class="buttons">
        <button type="button" class="primary" onClick={() => void send("scan")}>
          Read all with TransferKit
        </button>
        <button type="button" onClick={() => void send("loop")}>
          Read all with a cursor loop
        </button>
        <span role="status">{outcome}</span>
      </p>
      <iframe ref={frame} src={frameUrl} title="Console of the fake" class="console" />
    </>
  )
}
