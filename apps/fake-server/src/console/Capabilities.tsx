/** The capabilities that the service reports. */
import type { FakeOptions } from "@transferkit/fake/FakeOptions"
import { useEffect, useState } from "preact/hooks"
import * as FakeClient from "./FakeClient.ts"
import { Currency, Digits } from "./Money.tsx"

type Reported = NonNullable<FakeOptions["capabilities"]>

export const Capabilities = () => {
  const [capabilities, setCapabilities] = useState<Reported>()
  const [problem, setProblem] = useState<string>()
  useEffect(() => {
    FakeClient.call<Reported>("capabilities").then(setCapabilities, (error: unknown) =>
      setProblem(FakeClient.reasonOf(error)),
    )
  }, [])
  if (problem !== undefined) return <p class="problem">{problem}</p>
  if (capabilities === undefined) return <p class="hint">Loading…</p>
  return (
    <div class="capabilities">
      <div class="panel-head">
        <h2 id="capabilities-title">Capabilities</h2>
      </div>
      <section>
        <h3>Currencies</h3>
        <table>
          <thead>
            <tr>
              <th scope="col">Currency</th>
              <th scope="col">Name</th>
              <th scope="col" class="number">
                Minimum
              </th>
              <th scope="col" class="number">
                Maximum
              </th>
            </tr>
          </thead>
          <tbody>
            {capabilities.supported_currencies.map(({ currency_code, currency_name }) => (
              <tr>
                <th scope="row">
                  <Currency code={currency_code} />
                </th>
                <td>{currency_name}</td>
                {(["min_transfer", "max_transfer"] as const).map((bound) => (
                  <td class="number">
                    <Digits text={capabilities.transfer_limits[currency_code]?.[bound] ?? "–"} />
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </section>
      <section>
        <h3>Countries</h3>
        <ul class="plain">
          {capabilities.supported_countries.map(({ country_code, country_name }) => (
            <li>
              <code>{country_code}</code> {country_name}
            </li>
          ))}
        </ul>
      </section>
      <section>
        <h3>Payment methods</h3>
        <ul class="plain">
          {capabilities.supported_payment_methods.map(({ payment_method_code, payment_method_name }) => (
            <li>
              <code>{payment_method_code}</code> {payment_method_name}
            </li>
          ))}
        </ul>
      </section>
    </div>
  )
}
