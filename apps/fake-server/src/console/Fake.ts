/** The fake as the page knows it: its state and rules by polling, its requests by events. */
import type { Entry } from "@transferkit/fake/Journal"
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

/** More entries than a fake keeps by default would only take memory. */
const mostEntries = 1000

/** The requests, newest first, as they arrive. */
export const useRequests = (isAllowed: boolean, poll: () => Promise<void>) => {
  const onFault = useThrottled(poll)
  const [entries, setEntries] = useState<ReadonlyArray<Entry>>([])
  const [isLive, setLive] = useState(false)
  useEffect(() => {
    if (!isAllowed) return
    const stopped = new AbortController()
    const follow = async () => {
      const arrived = FakeClient.events<Entry>(stopped.signal)
      const { requests } = await FakeClient.call<{ readonly requests: ReadonlyArray<Entry> }>("requests")
      setEntries(requests.toReversed())
      setLive(true)
      for await (const entry of arrived) {
        setEntries((before) => [entry, ...before].slice(0, mostEntries))
        if (entry.faults.length > 0) onFault()
      }
    }
    const keepFollowing = async () => {
      while (!stopped.signal.aborted) {
        await follow().catch(() => {})
        setLive(false)
        await new Promise((resolve) => setTimeout(resolve, 1000))
      }
    }
    void keepFollowing()
    return () => stopped.abort()
  }, [isAllowed, onFault])
  return { entries, isLive, clear: () => setEntries([]) }
}

/** Runs an action at most once in a while, however often it is wanted. */
const useThrottled = (action: () => Promise<void>): (() => void) => {
  const [throttled] = useState(() => {
    let timer: ReturnType<typeof setTimeout> | undefined
    return () => {
      timer ??= setTimeout(() => {
        timer = undefined
        void action()
      }, 250)
    }
  })
  return throttled
}
