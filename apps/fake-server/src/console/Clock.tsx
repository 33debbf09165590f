/** The clock of the fake: it stands still until it is advanced, once or each second. */
import { useEffect, useRef, useState } from "preact/hooks"
import * as FakeClient from "./FakeClient.ts"
import { Icon } from "./Icon.tsx"
import { useNotice } from "./Notice.tsx"

const steps = [
  ["1s", "1 second"],
  ["1m", "1 minute"],
  ["15m", "15 minutes"],
  ["1h", "1 hour"],
  ["24h", "1 day"],
  ["96h", "4 days"],
] as const

interface Properties {
  readonly now: string
  /** Reads the time again. */
  readonly refresh: () => Promise<void>
}

export const Clock = ({ now, refresh }: Properties) => {
  const [step, setStep] = useState("15m")
  const [isPlaying, setPlaying] = useState(false)
  const show = useNotice()
  const isBusy = useRef(false)
  const advance = async () => {
    if (isBusy.current) return
    isBusy.current = true
    try {
      await FakeClient.call("clock/advance", "POST", { by: step })
    } catch (error) {
      setPlaying(false)
      show({ text: FakeClient.reasonOf(error), isBad: true })
    }
    isBusy.current = false
    await refresh()
  }
  useEffect(() => {
    if (!isPlaying) return
    const timer = setInterval(advance, 1000)
    return () => clearInterval(timer)
  }, [isPlaying, step])
  const name = steps.find(([value]) => value === step)?.[1] ?? step
  return (
    <div class="clock" role="group" aria-label="Clock">
      <div class="field">
        <span>Clock (UTC)</span>
        <time class={isPlaying ? "playing" : ""}>{now.replace("T", " ").replace(/(?:\.\d+)?Z$/, "")}</time>
      </div>
      <label class="field">
        <span>Step</span>
        <select value={step} onChange={(event) => setStep(event.currentTarget.value)}>
          {steps.map(([value, label]) => (
            <option value={value}>{label}</option>
          ))}
        </select>
      </label>
      <button type="button" onClick={advance} title={`Advances the clock by ${name}`}>
        Advance
      </button>
      <button
        type="button"
        class="play"
        aria-pressed={isPlaying}
        title={`Advances the clock by ${name} each second`}
        onClick={() => setPlaying(!isPlaying)}
      >
        <Icon name={isPlaying ? "pause" : "play"} /> {isPlaying ? "Pause" : "Play"}
      </button>
    </div>
  )
}
