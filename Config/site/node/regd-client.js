// regd's methods in Node: await new Regd("/run/regd/regd.sock").call("registration.checkEmail", { email: "you@example.com" }).
"use strict"
const net = require("node:net")

class RegdError extends Error {
  constructor({ message, data }) { super(message); Object.assign(this, data) }
}

// One connection. What breaks it is an Error without `reason`, of each call under way and each later one.
class Regd {
  #calls = new Map()
  #text = ""

  constructor(path, notified = () => {}) {
    this.isOpen = true
    this.socket = net.connect(path).setEncoding("utf8").on("data", text => this.#read(text, notified)).on("error", () => {})
    this.socket.on("close", () => {
      this.isOpen = false
      for (const { refuse } of this.#calls.values()) refuse(new Error("regd has closed the connection"))
    })
  }

  // `params` are given by name. An answer that takes longer than limits.requestSeconds does not come.
  call(method, params, milliseconds = 35_000) {
    if (!this.isOpen) return Promise.reject(new Error("regd has closed the connection"))
    const id = (this.last = (this.last ?? 0) + 1), late = setTimeout(() => this.socket.destroy(), milliseconds)
    this.socket.write(JSON.stringify({ jsonrpc: "2.0", id, method, params }) + "\n")
    const answer = new Promise((done, refuse) => this.#calls.set(id, { done, refuse }))
    return answer.finally(() => { clearTimeout(late); this.#calls.delete(id) })
  }

  #read(text, notified) {
    const lines = (this.#text + text).split("\n")
    this.#text = lines.pop()
    for (const { id, method, params, result, error } of lines.map(line => JSON.parse(line))) {
      if (method) notified(method, params)
      else if (error) this.#calls.get(id)?.refuse(new RegdError(error))
      else this.#calls.get(id)?.done(result)
    }
  }
}

module.exports = { Regd, RegdError }
