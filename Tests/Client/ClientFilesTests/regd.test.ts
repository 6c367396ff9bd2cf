/**
 * Tests of the client in TypeScript with a fake regd. Copy regd.ts of Sources,
 * with its sample methods, into the same directory.
 */

import assert from "node:assert/strict";
import { Buffer } from "node:buffer";
import { mkdtemp, rm } from "node:fs/promises";
import { createServer, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { test } from "node:test";
import { setImmediate as turn } from "node:timers/promises";
import { Client, NoAnswer, Reason, RegdError } from "./regd.ts";

const REQUEST_ID = "6fa459ea-ee8a-3ca4-894e-db77e160355e";
const OWNER = { email: "you@example.com", password: "a fine phrase" };
const HALVES = ["", '{"jsonrpc":"2.0","id":1,"res'];

interface Request {
  id?: number | null;
  method: string;
  params: Record<string, unknown>;
}

function text(message: object): Buffer {
  return Buffer.from(JSON.stringify({ jsonrpc: "2.0", ...message }) + "\n");
}

function reply(request: { id?: number | null }, result: unknown): Buffer {
  return text({ id: request.id, result });
}

function refusal(
  request: { id?: number | null },
  reason: string,
  data: object = {},
): Buffer {
  const error = { code: 1002, message: "No.", data: { reason, ...data } };
  return text({ id: request.id, error });
}

function named(displayName: unknown): object {
  return { account: { id: "1", email: OWNER.email, displayName } };
}

/** The fake regd's end of a connection. */
class Caller {
  readonly #socket: Socket;
  readonly #lines: AsyncIterator<string>;

  constructor(socket: Socket) {
    this.#socket = socket;
    this.#lines = createInterface({ input: socket })[Symbol.asyncIterator]();
  }

  /** Reads the next request, which must be of this method. */
  async request(method: string): Promise<Request> {
    const line = await this.#lines.next();
    assert(!line.done, `the connection ended instead of ${method}`);
    const request = JSON.parse(line.value) as Request;
    assert.equal(request.method, method);
    return request;
  }

  /** Reads a registration, and adds its requestId to the list. */
  async registration(ids: unknown[]): Promise<Request> {
    const request = await this.request("registration.register");
    ids.push(request.params.requestId);
    return request;
  }

  /** Waits until the client has closed the connection. */
  async end(): Promise<void> {
    assert.equal((await this.#lines.next()).done, true);
  }

  /** Sends each part after the client has read the previous one. */
  async send(...parts: (Buffer | string)[]): Promise<void> {
    for (const part of parts) {
      await new Promise((resolve) => this.#socket.write(part, resolve));
      // the client's end is read in the next turn of the same event loop
      await turn();
      await turn();
    }
  }
}

type Connection = (caller: Caller) => Promise<void>;

/** Runs a fake regd: one function for each connection, in their order. */
async function withRegd(
  connections: Connection[],
  body: (client: Client) => Promise<void>,
): Promise<void> {
  const directory = await mkdtemp(join(tmpdir(), "regd-"));
  const path = join(directory, "regd.sock");
  const server = createServer();
  const client = new Client({ path });
  const sockets: Socket[] = [];
  const served = new Promise<void>((resolve, reject) => {
    let ended = 0;
    server.on("connection", (socket) => {
      const connection = connections[sockets.length];
      sockets.push(socket);
      socket.on("error", () => {});
      if (!connection) return reject(new Error("one connection too many"));
      connection(new Caller(socket)).finally(() => socket.destroy()).then(
        () => ++ended < connections.length || resolve(),
        reject,
      );
    });
  });
  try {
    await new Promise<void>((resolve) => server.listen(path, resolve));
    await Promise.all([served, body(client)]);
  } finally {
    client.close();
    for (const socket of sockets) socket.destroy();
    server.close();
    await rm(directory, { recursive: true });
  }
}

async function noAnswer(call: Promise<unknown>): Promise<NoAnswer> {
  const failure = await call.then(() => "a result", (failure) => failure);
  assert(failure instanceof NoAnswer, String(failure));
  return failure;
}

async function refused(call: Promise<unknown>): Promise<RegdError> {
  const failure = await call.then(() => "a result", (failure) => failure);
  assert(failure instanceof RegdError, String(failure));
  return failure;
}

async function answersPing(caller: Caller): Promise<void> {
  await caller.send(reply(await caller.request("rpc.ping"), "pong"));
}

function check(
  name: string,
  connections: Connection[],
  body: (client: Client) => Promise<void>,
): void {
  test(name, { timeout: 60_000 }, () => withRegd(connections, body));
}

// Framing.

check("a reply that is not JSON ends the connection", [
  async (caller) => {
    await caller.request("owner.delete");
    await caller.send("no JSON\n");
    await caller.end();
  },
  answersPing,
], async (client) => {
  assert((await noAnswer(client.owner.delete(OWNER))).mayHaveHappened);
  assert.equal(await client.rpc.ping(), "pong");
});

check("an error without an id fails the calls of the connection", [
  async (caller) => {
    await caller.request("rpc.ping");
    await caller.send(refusal({ id: null }, "request.tooLarge"));
  },
], async (client) => {
  const error = await refused(client.rpc.ping());
  assert.equal(error.reason, "request.tooLarge");
});

const COUNT = reply({ id: 100 }, named("Zoë")).length;

check("a reply is read wherever it is split", [
  async (caller) => {
    for (let cut = 0; cut < COUNT; cut++) {
      const request = await caller.request("owner.setDisplayName");
      const answer = reply(request, named("Zoë"));
      await caller.send(answer.subarray(0, cut), answer.subarray(cut));
    }
  },
], async (client) => {
  for (let cut = 0; cut < COUNT; cut++) {
    const params = { ...OWNER, displayName: "Zoë" };
    const result = await client.owner.setDisplayName(params);
    assert.deepEqual(result, named("Zoë"));
  }
});

check("a reply is read byte by byte", [
  async (caller) => {
    const request = await caller.request("owner.setDisplayName");
    const answer = reply(request, named("Zoë"));
    await caller.send(...[...answer].map((byte) => Buffer.from([byte])));
  },
], async (client) => {
  const params = { ...OWNER, displayName: "Zoë" };
  const result = await client.owner.setDisplayName(params);
  assert.deepEqual(result, named("Zoë"));
});

check("one read contains replies in another order and unknown messages", [
  async (caller) => {
    const first = await caller.request("owner.setDisplayName");
    const second = await caller.request("owner.setDisplayName");
    await caller.send(Buffer.concat([
      text({ method: "other.happened", params: {} }),
      reply({ id: 99 }, "late"),
      reply(second, named(second.params.displayName)),
      reply(first, named(first.params.displayName)),
    ]));
  },
], async (client) => {
  const results = await Promise.all([
    client.owner.setDisplayName({ ...OWNER, displayName: "Ada" }),
    client.owner.setDisplayName({ ...OWNER, displayName: "Bob" }),
  ]);
  assert.deepEqual(results, [named("Ada"), named("Bob")]);
});

// Timeouts.

check("a call that times out is cancelled, and the connection remains", [
  async (caller) => {
    await answersPing(caller);
    const late = await caller.request("rpc.ping");
    const cancel = await caller.request("rpc.cancel");
    assert.deepEqual(cancel.params, { id: late.id });
    assert(!("id" in cancel));
    const ping = await caller.request("rpc.ping");
    const replies = [reply(late, "late"), reply(ping, "pong")];
    await caller.send(Buffer.concat(replies));
  },
], async (client) => {
  // the timeout then does not include connecting
  assert.equal(await client.rpc.ping(), "pong");
  const failure = await noAnswer(client.rpc.ping({ timeout: 0.2 }));
  assert(failure.mayHaveHappened);
  assert.equal(await client.rpc.ping(), "pong");
});

// Lost connections and repeats.

test("without a regd nothing happened", async () => {
  const client = new Client({ path: "/nonexistent/regd.sock" });
  assert(!(await noAnswer(client.rpc.ping())).mayHaveHappened);
});

for (const half of HALVES) {
  const when = half === "" ? "before" : "in";

  check(`a call is sent once if the connection is lost ${when} the reply`, [
    async (caller) => {
      await caller.request("owner.delete");
      await caller.send(half);
    },
    answersPing,
  ], async (client) => {
    assert((await noAnswer(client.owner.delete(OWNER))).mayHaveHappened);
    assert.equal(await client.rpc.ping(), "pong");
  });

  for (const requestId of [undefined, REQUEST_ID]) {
    const whose = requestId === undefined ? "the client's" : "its";
    const ids: unknown[] = [];
    const lost = async (caller: Caller) => {
      await caller.registration(ids);
      await caller.send(half);
    };
    check(
      `a registration is repeated with ${whose} requestId if the connection is lost ${when} the reply`,
      [
        lost,
        lost,
        async (caller) => {
          const request = await caller.registration(ids);
          await caller.send(reply(request, named("Ada")));
        },
      ],
      async (client) => {
        const params = requestId === undefined ? {} : { requestId };
        const result = await client.registration.register(params);
        assert.deepEqual(result, named("Ada"));
        const id = requestId ?? ids[0];
        assert.deepEqual(ids, [id, id, id]);
        assert.equal(String(id).length, 36);
      },
    );
  }
}

{
  const ids: unknown[] = [];
  check("two registrations have different requestIds", [
    async (caller) => {
      for (let count = 0; count < 2; count++) {
        const request = await caller.registration(ids);
        await caller.send(reply(request, named("Ada")));
      }
    },
  ], async (client) => {
    await client.registration.register();
    await client.registration.register();
    assert.equal(new Set(ids).size, 2);
  });
}

check("a refusal is not repeated", [
  async (caller) => {
    const request = await caller.request("registration.register");
    await caller.send(refusal(request, "validation.failed", {
      retryable: true,
      retryAfter: 1,
      attemptsLeft: 2,
      problems: [{ field: "email" }],
    }));
    await answersPing(caller);
  },
], async (client) => {
  const error = await refused(client.registration.register());
  assert.equal(error.code, 1002);
  assert.equal(error.message, "No.");
  assert.equal(error.reason, Reason.ValidationFailed);
  assert(error.retryable && !error.pending);
  assert.equal(error.retryAfter, 1);
  assert.equal(error.attemptsLeft, 2);
  assert.deepEqual(error.problems, [{ field: "email" }]);
  assert.equal(await client.rpc.ping(), "pong");
});

{
  const ids: unknown[] = [];
  check("a pending registration is repeated with its requestId", [
    async (caller) => {
      for (const left of [2, 1, 0]) {
        const request = await caller.registration(ids);
        const data = { retryable: true, pending: true };
        const pending = refusal(request, "network.timeout", data);
        await caller.send(left > 0 ? pending : reply(request, named("Ada")));
      }
    },
  ], async (client) => {
    const result = await client.registration.register();
    assert.deepEqual(result, named("Ada"));
    assert.deepEqual(ids, [ids[0], ids[0], ids[0]]);
  });
}

check("a pause that is longer than the timeout returns the refusal", [
  async (caller) => {
    const request = await caller.request("registration.register");
    const data = { retryable: true, pending: true, retryAfter: 1000 };
    await caller.send(refusal(request, "network.timeout", data));
    await answersPing(caller);
  },
], async (client) => {
  const error = await refused(client.registration.register());
  assert(error.pending);
  assert.equal(error.retryAfter, 1000);
  assert.equal(await client.rpc.ping(), "pong");
});
