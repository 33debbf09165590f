/** The requests of the fake as they arrive. However fast they come, whoever listens hears of them once a frame. */
import type { Entry } from "@transferkit/fake/Journal"
import { useEffect, useState } from "preact/hooks"
import * as Bursts from "./Bursts.ts"
import * as FakeClient from "./FakeClient.ts"

/** What has arrived, and whether more will. */
export interface Arrived {
  readonly requests: Bursts.Requests
  readonly isLive: boolean
}

/** Mutable. It collects from `follow` on, whether or not a view shows it. */
export interface RequestFeed {
  arrived: Arrived
  waiting: Array<Entry>
  isDrawing: boolean
  readonly listeners: Set<(arrived: Arrived) => void>
}

const make = (): RequestFeed => ({
  arrived: { requests: Bursts.none, isLive: false },
  waiting: [],
  isDrawing: false,
  listeners: new Set(),
})

const set = (self: RequestFeed, arrived: Arrived): void => {
  self.arrived = arrived
  for (const listener of self.listeners) listener(arrived)
}

/** A hidden page has no frames: there, what arrives waits for a second at most. */
const add = (self: RequestFeed, entry: Entry): void => {
  self.waiting.push(entry)
  if (self.isDrawing) return
  self.isDrawing = true
  const draw = () => {
    cancelAnimationFrame(frame)
    clearTimeout(timer)
    self.isDrawing = false
    const { waiting } = self
    self.waiting = []
    set(self, { ...self.arrived, requests: Bursts.add(self.arrived.requests, waiting) })
  }
  const frame = requestAnimationFrame(draw)
  const timer = setTimeout(draw, 1000)
}

/** Forgets the requests that have arrived. */
export const clear = (self: RequestFeed): void => {
  self.waiting = []
  set(self, { ...self.arrived, requests: Bursts.none })
}

/** Collects the requests while the fake responds; `onFault` is called soon after a request that a fault changed. */
export const useRequestFeed = (isAllowed: boolean, onFault: () => Promise<void>): RequestFeed => {
  const notify = useThrottled(onFault)
  const [self] = useState(make)
  useEffect(() => {
    if (!isAllowed) return
    const stopped = new AbortController()
    const follow = async () => {
      const arriving = FakeClient.events<Entry>(stopped.signal)
      const { requests } = await FakeClient.call<{ readonly requests: ReadonlyArray<Entry> }>("requests")
      set(self, { requests: Bursts.add(Bursts.none, requests), isLive: true })
      for await (const entry of arriving) {
        add(self, entry)
        if (entry.faults.length > 0) notify()
      }
    }
    const keepFollowing = async () => {
      while (!stopped.signal.aborted) {
        await follow().catch(() => {})
        set(self, { ...self.arrived, isLive: false })
        await new Promise((resolve) => setTimeout(resolve, 1000))
      }
    }
    void keepFollowing()
    return () => stopped.abort()
  }, [isAllowed, notify, self])
  return self
}

/** What has arrived, drawn again when more has. */
export const useArrived = (self: RequestFeed): Arrived => {
  const [arrived, setArrived] = useState(self.arrived)
  useEffect(() => {
    setArrived(self.arrived)
    self.listeners.add(setArrived)
    return () => void self.listeners.delete(setArrived)
  }, [self])
  return arrived
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
