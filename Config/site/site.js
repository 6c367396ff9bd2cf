// Judges each key by asking the site, which asks regd. Without this script the pages do all the same at the press of a button.
"use strict"

for (const form of document.querySelectorAll("form[data-live]")) {
  const button = form.querySelector("button"), touched = new Set(), values = () => new URLSearchParams(new FormData(form))
  let asking = false, again = false

  const show = ({ enabled, problems }) => {
    button.disabled = !enabled
    for (const place of form.querySelectorAll("[data-problem]")) {
      const name = place.dataset.problem, input = form.elements[name]
      const said = touched.has(name) ? problems.filter(one => one.field === name).map(one => one.message).join(" ") : ""
      if (place.textContent !== said) place.textContent = said // what is said again would be read aloud again
      input?.setAttribute("aria-invalid", String(said !== ""))
    }
    const broken = new Set(problems.map(one => one.reason))
    for (const rule of form.querySelectorAll("[data-rule]")) {
      const isBroken = rule.dataset.rule.split(" ").some(reason => broken.has(reason))
      rule.classList.toggle("broken", isBroken && touched.has(rule.dataset.rule.split(".")[0]))
      rule.classList.toggle("kept", !isBroken)
    }
  }

  // one question at a time, and the newest next: answers never overtake each other
  const ask = async () => {
    again = asking
    if (asking) return
    asking = true
    try {
      const answer = await fetch(form.dataset.live, { method: "POST", body: values() })
      if (!answer.ok) throw new Error(answer.status)
      const verdict = await answer.json()
      if (!again) show(verdict) // one that is older than the last key would shut the button before whoever presses it
    } catch {
      button.disabled = false // the button's own page says what is the matter
    }
    asking = false
    if (again) ask()
  }

  form.addEventListener("input", event => { touched.add(event.target.name); ask() })
  if (form.dataset.close) addEventListener("pagehide", () => navigator.sendBeacon(form.dataset.close, values()))
  const invitation = /[#&]invitation=([^&]+)/.exec(location.hash)
  if (invitation && form.elements.invitation) form.elements.invitation.value = decodeURIComponent(invitation[1])
  if (document.querySelector("[role=alert]")) for (const one of form.querySelectorAll("[data-problem]")) touched.add(one.dataset.problem)
  else ask()
}
