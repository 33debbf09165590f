/** The console page. It does nothing that the operations under /_fake don't do. */

const $ = (id) => document.getElementById(id)

const element = (name, properties = {}, ...children) => {
  const made = Object.assign(document.createElement(name), properties)
  made.append(...children)
  return made
}

const on = (target, event, action) => {
  target.addEventListener(event, act(action))
  return target
}

/** What goes wrong in an action has been said where it was refused; anything else is said here. */
const act = (action) => (event) => {
  if (event.type === "submit") event.preventDefault()
  Promise.resolve(action(event)).catch((error) => say(error.message, true))
}

/** A cell of a table. What is too long for it shows when it is pointed at. */
const cell = (text, properties = {}) => element("td", { title: text, ...properties }, text)

/** A button in a table or a list. */
const button = (label, action) => on(element("button", { type: "button" }, label), "click", action)

const say = (text, isBad = false) => {
  $("message").textContent = text
  $("message").className = isBad ? "bad" : ""
}

const headers = () => ({
  "x-fake-token": sessionStorage.getItem("token") ?? "",
  "content-type": "application/json",
})

/** Calls an operation of the fake; what it refuses is said on the page. */
const call = async (path, { method = "GET", body, quiet = false } = {}) => {
  const init = {
    method,
    headers: headers(),
    ...(body !== undefined && { body: typeof body === "string" ? body : JSON.stringify(body) }),
  }
  const response = await fetch(`/_fake/${path}`, init)
  const text = await response.text()
  if (response.ok) return text === "" ? undefined : JSON.parse(text)
  $("token-field").hidden = response.status !== 401
  const reason = text.startsWith("{")
    ? JSON.parse(text)
        .errors.map((error) => error.message)
        .join(" ")
    : text
  if (!quiet) say(reason, true)
  throw new Error(reason)
}

/** A word for a POSIX shell. */
const shellWord = (text) => `'${text.replaceAll("'", `'\\''`)}'`

/** What curl needs to be told beside `-G`, which puts the parameters into the URL. */
const curlMethod = (method) => (method === "GET" ? "" : method === "HEAD" ? " -I" : ` -X ${shellWord(method)}`)

const copyAsCurl = async (path, parameters, { method = "GET", partner = $("partner").value }) => {
  const query = parameters.map(([name, value]) => `  --data-urlencode ${shellWord(`${name}=${value}`)}`)
  const credentials = `${shellWord(`${partner}:`)}"$TRANSFERS_SECRET_KEY"`
  const head = `curl -G${curlMethod(method)} -u ${credentials} ${shellWord(location.origin + path)}`
  const command = [head, ...query].join(" \\\n")
  try {
    await navigator.clipboard.writeText(command)
    say("Copied.")
  } catch {
    show("Copy this", command, {})
  }
}

// ------------------------------------------------------------------------------------------------ transfers

let page = []
let nextCursor

const money = (value) => (value ? `${value.amount} ${value.currency_code}` : "")

const searchParameters = () => {
  const { external_id, from, before } = Object.fromEntries(new FormData($("search")))
  return [
    ...(external_id ? [["external_id", external_id]] : []),
    ...(from ? [["created_at", `gte:${from}`]] : []),
    ...(before ? [["created_at", `lt:${before}`]] : []),
  ]
}

const partnerQuery = () => ($("partner").value ? [["partner", $("partner").value]] : [])

const showRows = () => {
  const text = $("search").elements.text.value.toLowerCase()
  const rows = page.filter((transfer) => JSON.stringify(transfer).toLowerCase().includes(text))
  $("rows").replaceChildren(
    ...rows.map((transfer) =>
      element(
        "tr",
        {},
        cell(transfer.created_at.replace(/\.\d+/, ""), { title: transfer.created_at }),
        element(
          "td",
          { className: "id", title: transfer.id },
          button(transfer.id, () => edit(transfer.id)),
        ),
        cell(transfer.external_id ?? ""),
        cell(transfer.kind),
        cell(transfer.status, { className: `status-${transfer.status}` }),
        cell(money(transfer.source_total), { className: "number" }),
        cell(money(transfer.destination_total), { className: "number" }),
      ),
    ),
  )
  $("shown").textContent = `${rows.length} of ${page.length} rows on this page`
}

const search = async (cursor) => {
  const parameters = [...searchParameters(), ...partnerQuery(), ...(cursor ? [["after_cursor", cursor]] : [])]
  const found = await call(`transfers?${new URLSearchParams(parameters)}`)
  page = found.results
  nextCursor = found.page_info.has_next_page ? found.page_info.end_cursor : undefined
  $("next").disabled = nextCursor === undefined
  showRows()
}

/** A text in a dialog, and what the person chose to do with it. */
const show = (title, text, { save = false, remove = false, problem = "" }) =>
  new Promise((resolve) => {
    $("dialog-title").textContent = title
    $("dialog-problem").textContent = problem
    $("dialog-text").value = text
    $("dialog-text").setSelectionRange(0, 0)
    $("dialog-save").hidden = !save
    $("dialog-remove").hidden = !remove
    $("dialog").returnValue = "close"
    $("dialog").showModal()
    const closed = () => resolve({ choice: $("dialog").returnValue, text: $("dialog-text").value })
    $("dialog").addEventListener("close", closed, { once: true })
  })

/** Shows a text until what the person makes of it can be done, or they close it: what was typed is not lost. */
const edited = async (title, text, choices, apply) => {
  for (let problem = ""; ;) {
    const made = await show(title, text, { ...choices, problem })
    if (made.choice === "close") return say("")
    try {
      return await refresh(await apply(made))
    } catch (error) {
      problem = error.message
      text = made.text
    }
  }
}

const edit = async (id) => {
  const path = `transfers/${encodeURIComponent(id)}?${new URLSearchParams(partnerQuery())}`
  const before = await call(path)
  const removed = Object.fromEntries(Object.keys(before).map((name) => [name, null]))
  await edited(id, JSON.stringify(before, undefined, 2), { save: true, remove: true }, async ({ choice, text }) => {
    if (choice === "remove") await call(path, { method: "DELETE" })
    else await call(path, { method: "PATCH", body: { ...removed, id, ...JSON.parse(text) } })
    return choice === "remove" ? `${id} is removed.` : `${id} is changed.`
  })
}

const insert = () =>
  edited("Insert a transfer: what is not given is made up", "{}", { save: true }, async ({ text }) => {
    const path = `transfers?${new URLSearchParams(partnerQuery())}`
    const { ids } = await call(path, { method: "POST", body: text })
    return `${ids.join(", ")} is inserted.`
  })

// ------------------------------------------------------------------------------------------------ faults

const presets = [
  ["Every answer is 503", [{ fault: "status", status: 503 }]],
  ["Too many requests (429, Retry-After 2)", [{ fault: "rate_limited", retry_after: "2" }]],
  ["Answers take 2 s", [{ fault: "latency", ms: 2000 }]],
  ["The connection is reset", [{ fault: "reset", at: "body" }]],
  ["Bodies end half-way", [{ fault: "truncate" }]],
  ["JSON is malformed", [{ fault: "malformed" }]],
  ["Cursors repeat", [{ fault: "repeated_cursor" }]],
  ["Cursors have expired", [{ fault: "expired_cursor" }]],
  ["Rows come twice", [{ fault: "duplicate_rows" }]],
  ["Amounts are numbers", [{ fault: "drift", pointer: "/results/*/source_total/amount", value: 12.5 }]],
  ["A new status appears", [{ fault: "drift", pointer: "/results/*/status", value: "under_review" }]],
  ["A transfer arrives after each page", [{ fault: "insert" }]],
]

const toggle = async (faults, rule) => {
  if (rule === undefined) await call("faults", { method: "POST", body: { faults } })
  else await call(`faults/${rule.id}`, { method: "DELETE" })
  await showFaults()
}

const showFaults = async () => {
  const { rules } = await call("faults")
  const ruleOf = (faults) => rules.find(({ rule }) => JSON.stringify(rule) === JSON.stringify({ faults }))
  const focused = document.activeElement?.dataset?.preset
  $("switches").replaceChildren(
    ...presets.map(([label, faults]) => {
      const rule = ruleOf(faults)
      const box = element("input", { type: "checkbox", checked: rule !== undefined })
      on(box, "change", () => toggle(faults, rule))
      box.setAttribute("role", "switch")
      box.dataset.preset = label
      return element("li", {}, element("label", {}, box, ` ${label}`))
    }),
  )
  if (focused !== undefined) document.querySelector(`[data-preset="${CSS.escape(focused)}"]`)?.focus()
  $("rules").replaceChildren(
    ...rules.map(({ id, rule, seen, applied }) =>
      element(
        "li",
        {},
        element("code", {}, JSON.stringify(rule)),
        ` seen ${seen}, applied ${applied} `,
        button("Remove", () => toggle([], { id })),
      ),
    ),
  )
}

// ------------------------------------------------------------------------------------------------ requests

const requestRow = (entry) => {
  const parameters = Object.entries(entry.parameters).flatMap(([name, value]) =>
    [value].flat().map((one) => [name, one]),
  )
  return element(
    "tr",
    {},
    cell(entry.id),
    cell(String(entry.status), { className: entry.status < 400 ? "status-ok" : "status-bad" }),
    cell(`${entry.method} ${entry.path} ${parameters.map((pair) => pair.join("=")).join(" ")}`, { className: "long" }),
    cell(entry.partner ?? ""),
    cell(entry.duration_ms.toFixed(2), { className: "number" }),
    element(
      "td",
      { title: (entry.problems ?? []).join("\n") },
      entry.faults.join(", "),
      ...(entry.problems ?? []).map((problem) => element("div", { className: "status-bad" }, problem)),
    ),
    element(
      "td",
      {},
      button("Copy as curl", () => copyAsCurl(entry.path, parameters, entry)),
    ),
  )
}

const shownRequests = 200

let recounting

/** The rules count what they do; many requests at once are one look at them. */
const recount = () => {
  recounting ??= setTimeout(() => {
    recounting = undefined
    showFaults()
  }, 200)
}

const addRequest = (entry) => {
  $("journal").prepend(requestRow(entry))
  while ($("journal").childElementCount > shownRequests) $("journal").lastElementChild.remove()
  if (entry.faults.length > 0) recount()
}

/** Server-sent events, read with fetch because they need a header where there is a token. */
const follow = async () => {
  for (;;) {
    try {
      const { requests } = await call("requests", { quiet: true })
      $("journal").replaceChildren(...requests.slice(-shownRequests).map(requestRow).toReversed())
      const response = await fetch("/_fake/events", { headers: headers() })
      if (!response.ok) throw new Error("no events")
      $("live").textContent = "live"
      let rest = ""
      const decoder = new TextDecoder()
      for await (const chunk of response.body) {
        const events = (rest + decoder.decode(chunk, { stream: true })).split("\n\n")
        rest = events.pop()
        for (const event of events) {
          const data = /^data: (.*)$/m.exec(event)?.[1]
          if (data !== undefined) addRequest(JSON.parse(data))
        }
      }
    } catch {
      $("live").textContent = "not connected"
    }
    await new Promise((resolve) => setTimeout(resolve, 1000))
  }
}

// ------------------------------------------------------------------------------------------------ the rest

const showCapabilities = async () => {
  const capabilities = await call("capabilities")
  const list = (title, values) =>
    element(
      "details",
      {},
      element("summary", {}, `${title} (${values.length})`),
      element("ul", {}, ...values.map((value) => element("li", {}, value))),
    )
  $("capabilities").replaceChildren(
    list(
      "Countries",
      capabilities.supported_countries.map((country) => `${country.country_code} ${country.country_name}`),
    ),
    list(
      "Currencies",
      capabilities.supported_currencies.map((currency) => `${currency.currency_code} ${currency.currency_name}`),
    ),
    list(
      "Payment methods",
      capabilities.supported_payment_methods.map(
        (method) => `${method.payment_method_code} ${method.payment_method_name}`,
      ),
    ),
    list(
      "Limits",
      Object.entries(capabilities.transfer_limits).map(
        ([code, limit]) => `${code} ${limit.min_transfer} to ${limit.max_transfer}`,
      ),
    ),
  )
}

const showHealth = async () => {
  const { now, partners } = await call("health")
  $("clock").textContent = now
  const chosen = $("partner").value
  $("partner").replaceChildren(...partners.map(({ partner }) => element("option", {}, partner)))
  if (partners.some(({ partner }) => partner === chosen)) $("partner").value = chosen
  const { transfers } = partners.find(({ partner }) => partner === $("partner").value) ?? { transfers: 0 }
  $("total").textContent = `${transfers.toLocaleString("en")} in all`
}

const refresh = async (text = "") => {
  await showHealth()
  await Promise.all([search(), showFaults(), showCapabilities()])
  say(text)
}

on($("search"), "submit", async () => {
  await search()
  say("")
})
on($("search").elements.text, "input", showRows)
on($("next"), "click", () => search(nextCursor))
on($("copy-search"), "click", () => copyAsCurl("/v1/transfers/search", searchParameters(), {}))
on($("insert"), "click", insert)
on($("partner"), "change", () => refresh())
on($("advance"), "submit", async () => {
  const { now } = await call("clock/advance", { method: "POST", body: { by: new FormData($("advance")).get("by") } })
  await refresh(`It is ${now} now.`)
})
on($("reset"), "click", async () => {
  await call("reset", { method: "POST" })
  await refresh("Everything is as it was at the start.")
})
on($("fault"), "submit", async () => {
  await call("faults", { method: "POST", body: $("rule").value })
  await showFaults()
  say("The rule is in force.")
})
on($("forget"), "click", async () => {
  await call("requests", { method: "DELETE" })
  $("journal").replaceChildren()
})
on($("token"), "change", async () => {
  sessionStorage.setItem("token", $("token").value)
  await refresh()
})
on(document, "keydown", (event) => {
  const isTyping = /^(INPUT|TEXTAREA|SELECT)$/.test(document.activeElement?.tagName ?? "")
  if (event.key !== "/" || isTyping) return
  event.preventDefault()
  $("search").elements.external_id.focus()
})

refresh().catch((error) => say(error.message, true))
void follow()
