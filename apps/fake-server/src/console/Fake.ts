/** The fake as the page knows it: its state and rules, by polling. */
import { useCallback, useEffect, useState } from "preact/hooks"
import * as FakeClient from "./FakeClient.ts"
import type { ActiveRule } from "./FaultRules.ts"

/** The state of the fake, read again and again. */
export interface Health {
  readonly now: string
  readonly partners: ReadonlyArray<{ readonly partner: string; readonly transfers: number }>
}

type Connection = "connected" | "lost" | "token needed"

const pollMs = 2000

/** The fake's state and active rules; `refresh` reads them at once. */
export const useFake = () => {
  const [health, setHealth] = useState<Health>()
  const [rules, setRules] = useState<ReadonlyArray<ActiveRule>>([])
  const [connection, setConnection] = useState<Connection>("connected")
  const [actions, setActions] = useState(0)
  const poll = useCallback(async () => {
    try {
      const found = await FakeClient.call<Health>("health")
      const listed = await FakeClient.call<{ readonly rules: ReadonlyArray<ActiveRule> }>("faults")
      setHealth(found)
      setRules(listed.rules)
      setConnection("connected")
    } catch (error) {
      setConnection(error instanceof FakeClient.Rejected && error.status === 401 ? "token needed" : "lost")
    }
  }, [])
  const refresh = useCallback(async () => {
    await poll()
    setActions((count) => count + 1)
  }, [poll])
  useEffect(() => {
    void poll()
    const timer = setInterval(() => document.hidden || poll(), pollMs)
    return () => clearInterval(timer)
  }, [poll])
  return { health, rules, connection, refresh, poll, version: `${actions} ${health?.now}` }
}
