// Registration and its code, in Node: both screens are one form of regd's, which judges each key and takes every decision. Pages, words and
// the browser's script are those of the site beside it.
"use strict"
const crypto = require("node:crypto"), fs = require("node:fs"), http = require("node:http"), path = require("node:path")
const { Regd } = require("./regd-client.js")

const socket = process.env.REGD_SOCKET_PATH ?? "/run/regd/regd.sock", isBehindProxy = "SITE_BEHIND_PROXY" in process.env
const file = name => fs.readFileSync(path.join(__dirname, "..", name), "utf8")
const words = Object.fromEntries(["ar", "en", "es", "pt", "zh"].map(tag => [tag, JSON.parse(file(`words/${tag}.json`))]))
const fields = ["email", "password", "passwordConfirmation", "invitation", "terms", "displayName"]
const inner = /^(rpc|access|request(?!\.conflict)|response|batch|feature)\./ // what a person can do nothing about
const headers = {
  "Cache-Control": "no-store", "Referrer-Policy": "same-origin", "X-Content-Type-Options": "nosniff",
  "Content-Security-Policy": "default-src 'none'; style-src 'self'; script-src 'self'; connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
}

// Forms: 64 a connection, 1024 in all, 8 of one origin. Forms idle for ten minutes, and the oldest of the busiest origin, are closed.
const forms = new Map(), lines = [] // by the browser that has it, the one used last behind the others
function lineWithRoom() {
  const open = lines.find(one => one.regd.isOpen && one.room > 0)
  if (open) return open
  const line = { room: 64, ends: new Map() }
  line.regd = new Regd(socket, (_, event) => /alert|navigate/.test(event.event) && line.ends.set(event.form, event))
  lines.splice(0, lines.length, ...lines.filter(one => one.regd.isOpen), line)
  return line
}
function form(key, origin, language) {
  let form = forms.get(key)
  if (form && form.line.regd.isOpen) forms.delete(key)
  else {
    const shares = new Map()
    for (const one of forms.values()) shares.set(one.origin, (shares.get(one.origin) ?? 0) + 1)
    const most = (shares.get(origin) ?? 0) >= 8 ? origin : forms.size < 1024 ? null : [...shares].sort((a, b) => b[1] - a[1])[0][0]
    for (const [key, one] of forms) if (one.origin === most) { close(key); break }
    const line = lineWithRoom()
    line.room -= 1
    form = { line, origin, claim: null, opened: line.regd.call("form.open", { kind: "registration", origin, language }) }
    form.opened.catch(() => close(key))
  }
  forms.set(key, form)
  clearTimeout(form.idle)
  form.idle = setTimeout(close, 600_000, key).unref()
  return form
}
function close(key) {
  const form = forms.get(key)
  if (!form) return
  clearTimeout(form.idle)
  forms.delete(key)
  // the room is free when regd has closed it: sooner, another form could be the 65th
  form.opened.then(({ form: number }) => form.line.regd.call("form.close", { form: number })).catch(() => {}).then(() => { form.line.room += 1 })
}
async function act(form, values, submit) {
  const { form: number } = await form.opened
  let { state } = await form.line.regd.call("form.set", { form: number, ...values })
  if (submit) ({ state } = await form.line.regd.call("form.submit", { form: number }))
  form.claim = state.claim ?? null
  return { state, end: form.line.ends.get(number) }
}

// Pages: {{name}} is a value, escaped. {{?name}}…{{/name}} is there if the value is something.
const escape = text => String(text ?? "").replace(/[&<>"']/g, character => `&#${character.charCodeAt()};`)
function render(text, values) {
  const sections = text => text.replace(/\{\{\?(\w+)}}(.*?)\{\{\/\1}}/gs, (_, name, inner) => (values[name] ? sections(inner) : ""))
  return sections(text).replace(/\{\{(\w+)}}/g, (_, name) => escape(values[name]))
}
function page(to, name, status, values) {
  const own = { language: to.language, token: to.token, title: words[to.language][`${name.replace("-", "_")}_title`], is_signed_out: true }
  const all = { ...words[to.language], ...own, ...values }
  send(to, status, "text/html; charset=utf-8", render(file("pages/layout.html"), all).replace("<!--page-->", () => render(file(`pages/${name}.html`), all)))
}
const send = (to, status, type, body, more) => to.response.writeHead(status, { ...headers, "Content-Type": type, ...more }).end(body)
const go = (to, place) => send(to, 303, "text/plain", "", { Location: place })
function refused(to, name, { reason, message, problems = [], retryAfter, retryable = !reason || /^(network|store|server)\./.test(reason) }, kept) {
  const status = reason === "rate.limited" ? 429 : retryable ? 503 : inner.test(reason) ? 500 : 422
  const shown = { ...kept, alert: reason ? message : words[to.language].away, retry_after: retryAfter ?? (status === 503 ? 5 : 0) }
  for (const one of problems) shown[`problem_${one.field}`] = `${shown[`problem_${one.field}`] ?? ""} ${one.message}`
  if (shown.retry_after) to.response.setHeader("Retry-After", Math.ceil(shown.retry_after))
  page(to, name, status, shown)
}

async function signUp(to, status, problem, kept) {
  const { registration: { mode, password, email, terms } } = await lineWithRoom().regd.call("rpc.serverInfo")
  if (mode === "closed") return page(to, "message", 403, { alert: words[to.language].closed })
  const own = {
    ...password, rule_length: words[to.language].rule_length.replace("{0}", password.minimumLength).replace("{1}", password.maximumLength),
    is_invited: mode === "invited", domains: email.allowedDomains?.join(", "), terms_version: terms?.version,
    terms_url: /^https?:/.test(terms?.url) ? terms.url : "/", ...kept,
  }
  return problem ? refused(to, "sign-up", problem, own) : page(to, "sign-up", status, own)
}
const code = (to, problem) => {
  const claim = forms.get(to.visit)?.claim
  return !claim ? go(to, "/sign-up") : problem ? refused(to, "code", problem, claim) : page(to, "code", 200, claim)
}
const routes = {
  "GET /": to => go(to, "/sign-up"),
  "GET /sign-up": to => signUp(to, 200),
  "POST /sign-up/live": async (to, values) => {
    const { state } = await act(form(to.visit, to.origin, to.language), values)
    send(to, 200, "application/json", JSON.stringify({ enabled: state.registrationEnabled, problems: state.problems }))
  },
  "POST /sign-up/close": to => { if (!forms.get(to.visit)?.claim) close(to.visit); send(to, 204, "text/plain") },
  "POST /sign-up": async (to, values) => {
    if (forms.get(to.visit)?.claim) close(to.visit) // the code's screen has gone back to the entry's
    const { state, end } = await act(form(to.visit, to.origin, to.language), values, true)
    if (end.event === "alert") return signUp(to, 422, { ...end, problems: state.problems }, { email: values.email, invitation: values.invitation, terms: values.terms, display_name: values.displayName })
    go(to, end.to === "code" ? "/code" : "/welcome")
  },
  "GET /code": to => code(to),
  "POST /code": async (to, _, sent) => {
    const one = forms.get(to.visit)
    if (!one?.claim) return go(to, "/sign-up")
    if (sent.do) return one.line.regd.call("claim.resend", { claim: one.claim.id, origin: to.origin }).then(() => go(to, "/code"))
    const { end } = await act(one, { code: sent.code ?? "" }, true)
    if (end.event !== "alert") return go(to, "/welcome")
    return one.claim ? code(to, end) : refused(to, "message", end)
  },
  "GET /welcome": to => { close(to.visit); page(to, "message", 200, { title: words[to.language].home_title, notice: words[to.language].welcome }) },
  "GET /site.css": to => send(to, 200, "text/css; charset=utf-8", file("site.css")),
  "GET /site.js": to => send(to, 200, "text/javascript; charset=utf-8", file("site.js")),
}

// Who asks: a browser by a signed cookie, an origin by its address, of IPv6 the network. A post has the token that only this site's pages have.
const key = crypto.randomBytes(32), mac = text => crypto.createHmac("sha256", key).update(text).digest("hex")
const same = (one, other = "") => one.length === other.length && crypto.timingSafeEqual(Buffer.from(one), Buffer.from(other))
function network(address) {
  if (address.startsWith("::ffff:") || !address.includes(":")) return address
  const [head, tail] = address.split("::").map(half => half.split(":").filter(Boolean))
  return [...head, ...Array(tail ? 8 - head.length - tail.length : 0).fill("0"), ...(tail ?? [])].slice(0, 4).join(":")
}
const underWay = new Map() // requests, by origin: each has eight at once
http.createServer({ requestTimeout: 10_000 }, async (request, response) => {
  const [place, query = ""] = request.url.split("?"), cookies = request.headers.cookie ?? ""
  const [, visit, signed] = /__Host-visit=(\w+)\.(\w+)/.exec(cookies) ?? []
  const wanted = [query.replace("language=", ""), /__Host-language=(\w+)/.exec(cookies)?.[1], ...(request.headers["accept-language"] ?? "").match(/(?<![;=\w-])[a-z]+/g) ?? []]
  const to = { response, visit: same(mac(`visit ${visit}`), signed) ? visit : crypto.randomBytes(16).toString("hex"), language: wanted.find(tag => words[tag]) ?? "en" }
  const address = (isBehindProxy && request.headers["x-real-ip"]) || request.socket.remoteAddress
  Object.assign(to, { token: mac(`token ${to.visit}`), origin: network(address) })
  const cookie = (name, value) => `__Host-${name}=${value}; Path=/; Secure; HttpOnly; SameSite=Lax`
  response.setHeader("Set-Cookie", [cookie("visit", `${to.visit}.${mac(`visit ${to.visit}`)}`), cookie("language", to.language)])
  const count = (underWay.get(to.origin) ?? 0) + 1
  underWay.set(to.origin, count)
  try {
    if (count > 8) {
      response.setHeader("Retry-After", "1")
      return page(to, "message", 429, { alert: words[to.language].busy, retry_after: 1 })
    }
    let text = ""
    for await (const part of request.setEncoding("utf8")) if ((text += part).length > 16384) return request.destroy()
    const route = routes[`${request.method} ${place}`], sent = Object.fromEntries(new URLSearchParams(text))
    if (!route) return page(to, "message", 404, { alert: words[to.language].no_page })
    const isOwn = same(to.token, sent.token) && (request.headers["sec-fetch-site"] ?? "same-origin") === "same-origin"
    if (request.method === "POST" && !isOwn) return page(to, "message", 403, { alert: words[to.language].stale })
    await route(to, Object.fromEntries(fields.map(name => [name, sent[name] ?? ""])), sent)
  } catch (error) {
    if (!response.headersSent) refused(to, "message", error)
  } finally {
    const left = underWay.get(to.origin) - 1
    if (left) underWay.set(to.origin, left)
    else underWay.delete(to.origin)
  }
}).listen(process.env.PORT ?? 8080, "127.0.0.1", function () { console.log(`http://localhost:${this.address().port}`) })
