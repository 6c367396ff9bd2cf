/**
 * A client of regd @@VERSION@@ for Node, in one file and without dependencies.
 *
 * Made by `regctl client typescript` from the table of methods that regd
 * answers from.
 *
 *     const regd = new Client();
 *     await regd.registration.register({ email, password, passwordConfirmation });
 *     regd.close();
 *
 * A Client keeps one connection for all calls and opens another when it has
 * ended. A call whose answer was lost is made again where that does no harm; a
 * registration has a requestId for that, its own or one that is made.
 */

import { Buffer } from "node:buffer";
import { randomUUID } from "node:crypto";
import { createConnection, type Socket } from "node:net";
import process from "node:process";
import { setTimeout as sleep } from "node:timers/promises";

export const VERSION = "@@VERSION@@";

/** Why regd refused a call; a reason never changes. */
export const Reason = {
  // regd: begin reasons
  ServerDraining: "server.draining",
  ValidationFailed: "validation.failed",
  NetworkTimeout: "network.timeout",
  EmailTaken: "email.taken",
  CredentialsRejected: "credentials.rejected",
  ConfigurationRefused: "configuration.refused",
  // regd: end
} as const;
export type Reason = typeof Reason[keyof typeof Reason];

// regd: begin types

export type ProblemField =
  | "email"
  | "password"
  | "passwordConfirmation"
  | "displayName";

export type ProblemReason =
  | "email.domain"
  | "password.tooShort"
  | "password.common"
  | "displayName.tooLong";

export interface Problem {
  field: ProblemField;
  reason: ProblemReason;
  message: string;
}

export type AccountState = "active" | "pending" | "disabled" | "waiting";

export interface Account {
  id: string;
  email: string;
  state: AccountState;
  createdAt: string;
  updatedAt: string;
  groups: string[];
  displayName?: string;
}

export interface Claim {
  id: string;
  email: string;
  expiresAt: string;
  resendAt: string;
  codeDigits?: number;
}

export interface AccountOrClaim {
  account?: Account;
  stamp?: string;
  claim?: Claim;
}

export interface AccountResult {
  account: Account;
}

export interface RegistrationFormState {
  email: string;
  emailValid: boolean;
  passwordValid: boolean;
  registrationEnabled: boolean;
  needs?: ("invitation" | "terms")[];
  problems: Problem[];
  errorMessage: string | null;
  registered: boolean;
  stamp?: string;
  claim?: Claim;
}

export interface SignInFormState {
  email: string;
  signInEnabled: boolean;
  problems: Problem[];
  errorMessage: string | null;
  signedIn: boolean;
  stamp?: string;
}

export interface RecoveryFormState {
  email: string;
  recoveryEnabled: boolean;
  problems: Problem[];
  errorMessage: string | null;
  recovered: boolean;
  stamp?: string;
  claim?: Claim;
}

export type FormState =
  | RegistrationFormState
  | SignInFormState
  | RecoveryFormState;

export interface FormWithState {
  form: number;
  state: FormState;
}

export interface FormStateResult {
  state: FormState;
}

export interface FormEvent {
  form: number;
  event: "activityStarted" | "activityEnded" | "alert" | "navigate";
  reason?: Reason;
  message?: string;
  attemptsLeft?: number;
  to?: "welcome" | "code";
}

export type EventName =
  | "account.registered"
  | "events.missed";

export interface Event {
  sequence: number;
  event: EventName;
  time: string;
  email?: string;
  from?: string;
  message?: string;
  missed?: number;
}

export interface ConfigurationProblem {
  place: string;
  key?: string;
  message: string;
}

export interface RegistrationRegisterParams {
  email?: string | null;
  password?: string | null;
  passwordConfirmation?: string | null;
  requestId?: string | null;
}

export interface OwnerSetDisplayNameParams {
  email: string;
  password: string;
  displayName: string | null;
}

export interface OwnerDeleteParams {
  email: string;
  password: string;
}

// regd: end

interface ErrorObject {
  code: number;
  message: string;
  data?: {
    reason?: string;
    retryable?: boolean;
    retryAfter?: number;
    pending?: boolean;
    field?: string;
    limit?: number;
    attemptsLeft?: number;
    problems?: Problem[];
  };
}

/** regd has refused a call. `reason` is for programs, `message` for a person. */
export class RegdError extends Error {
  override readonly name = "RegdError";
  readonly code: number;
  /** A reason of a newer regd is a string that is in no Reason. */
  readonly reason: Reason | (string & Record<never, never>);
  readonly retryable: boolean;
  /** Seconds to wait before a repeat, if known. */
  readonly retryAfter: number | undefined;
  /** Whether the registration may have happened all the same. */
  readonly pending: boolean;
  readonly field: string | undefined;
  readonly limit: number | undefined;
  readonly attemptsLeft: number | undefined;
  readonly problems: Problem[];

  constructor(error: ErrorObject) {
    super(error.message);
    const data = error.data ?? {};
    this.code = error.code;
    this.reason = data.reason ?? "";
    this.retryable = data.retryable ?? false;
    this.retryAfter = data.retryAfter;
    this.pending = data.pending ?? false;
    this.field = data.field;
    this.limit = data.limit;
    this.attemptsLeft = data.attemptsLeft;
    this.problems = data.problems ?? [];
  }
}

/** regd cannot be reached, has gone, or did not answer in time. */
export class NoAnswer extends Error {
  override readonly name = "NoAnswer";
  /** Whether regd may have done what was asked. */
  readonly mayHaveHappened: boolean;

  constructor(message: string, mayHaveHappened = false) {
    super(message);
    this.mayHaveHappened = mayHaveHappened;
  }
}

export interface CallOptions {
  /** Seconds for the call with all of its attempts. */
  timeout?: number;
}

export interface ClientOptions extends CallOptions {
  /** The socket; else REGD_SOCKET_PATH, else /run/regd/regd.sock. */
  path?: string;
  /** What messages are in: BCP 47, or a list as in Accept-Language. */
  language?: string;
}

type Message = {
  id?: number | null;
  method?: string;
  params?: unknown;
  result?: unknown;
  error?: ErrorObject;
};

interface Waiting {
  resolve(result: unknown): void;
  reject(failure: Error): void;
}

class Connection {
  onEvent: (event: Event) => void = () => {};
  onEnd: (failure: Error) => void = () => {};
  readonly forms = new Map<number, FormListener>();
  readonly #socket: Socket;
  readonly #waiting = new Map<number, Waiting>();
  #chunks: Buffer[] = [];
  #lastId = 0;
  #failure: Error | undefined;
  #refusal: RegdError | undefined;

  private constructor(socket: Socket) {
    this.#socket = socket;
    socket.on("data", (chunk: Buffer) => this.#take(chunk));
    socket.on("error", () => {});
    socket.on("close", () => this.#end());
    // a connection on which nothing is asked keeps no program alive
    socket.unref();
  }

  static open(path: string, timeout: number): Promise<Connection> {
    return new Promise((resolve, reject) => {
      const socket = createConnection(path);
      const fail = (why: string) => {
        socket.destroy();
        reject(new NoAnswer(`regd cannot be reached at ${path}: ${why}`));
      };
      const timer = setTimeout(() => fail("time is over"), timeout * 1000);
      socket.once("error", (error) => {
        clearTimeout(timer);
        fail(error.message);
      });
      socket.once("connect", () => {
        clearTimeout(timer);
        socket.removeAllListeners("error");
        resolve(new Connection(socket));
      });
    });
  }

  get isOpen(): boolean {
    return this.#failure === undefined;
  }

  ask<Result>(
    method: string,
    params: object,
    timeout: number,
  ): Promise<Result> {
    return new Promise<Result>((resolve, reject) => {
      if (this.#failure) {
        return reject(new NoAnswer("the connection has ended"));
      }
      const id = ++this.#lastId;
      const timer = setTimeout(() => {
        this.#send({ method: "rpc.cancel", params: { id } });
        this.#settled(id)?.reject(
          new NoAnswer(`regd did not answer ${method} in time`, true),
        );
      }, timeout * 1000);
      this.#waiting.set(id, {
        resolve: (result) => {
          clearTimeout(timer);
          resolve(result as Result);
        },
        reject: (failure) => {
          clearTimeout(timer);
          reject(failure);
        },
      });
      this.#socket.ref();
      this.#send({ id, method, params });
    });
  }

  /** Keeps the program alive for what regd tells. */
  listen(): void {
    this.#socket.ref();
  }

  close(): void {
    this.#socket.destroy();
  }

  #send(request: object): void {
    this.#socket.write(JSON.stringify({ jsonrpc: "2.0", ...request }) + "\n");
  }

  #settled(id: number): Waiting | undefined {
    const waiting = this.#waiting.get(id);
    this.#waiting.delete(id);
    if (this.#waiting.size === 0) this.#socket.unref();
    return waiting;
  }

  #take(chunk: Buffer): void {
    let begin = 0;
    for (
      let end = chunk.indexOf(10);
      end >= 0;
      end = chunk.indexOf(10, begin)
    ) {
      this.#chunks.push(chunk.subarray(begin, end));
      const line = Buffer.concat(this.#chunks).toString();
      this.#chunks = [];
      begin = end + 1;
      this.#read(line);
    }
    if (begin < chunk.length) this.#chunks.push(chunk.subarray(begin));
  }

  #read(line: string): void {
    let message: Message;
    try {
      message = JSON.parse(line) as Message;
    } catch {
      return this.close();
    }
    if (message.method !== undefined) return this.#tell(message);
    if (typeof message.id !== "number") {
      if (message.error) this.#refusal = new RegdError(message.error);
      return;
    }
    const waiting = this.#settled(message.id);
    if (message.error) waiting?.reject(new RegdError(message.error));
    else waiting?.resolve(message.result);
  }

  #tell(message: Message): void {
    switch (message.method) {
      case "events.happened":
        return this.onEvent(message.params as Event);
      case "form.changed": {
        const { form, state } = message.params as FormWithState;
        return this.forms.get(form)?.changed(state);
      }
      case "form.event": {
        const event = message.params as FormEvent;
        return this.forms.get(event.form)?.happened(event);
      }
    }
  }

  #end(): void {
    this.#failure = this.#refusal ??
      new NoAnswer("the connection ended before the answer", true);
    for (const waiting of this.#waiting.values()) waiting.reject(this.#failure);
    this.#waiting.clear();
    this.onEnd(this.#failure);
  }
}

const REPEATABLE: Readonly<Record<string, "yes" | "withRequestId">> = {
  // regd: begin repeatable
  "rpc.ping": "yes",
  "registration.register": "withRequestId",
  "owner.setDisplayName": "yes",
  // regd: end
};
const FIRST_PAUSE = 0.05;
const LONGEST_PAUSE = 2;

/** Makes a call until there is an answer, its time is over, or a repeat would do harm. */
async function attempt<Result>(
  method: string,
  params: object,
  timeout: number,
  connect: (timeout: number) => Promise<Connection>,
): Promise<Result> {
  const deadline = performance.now() / 1000 + timeout;
  const left = () => Math.max(0.001, deadline - performance.now() / 1000);
  const repetition = REPEATABLE[method];
  const sent = repetition === "withRequestId"
    ? { requestId: randomUUID(), ...present(params) }
    : params;
  let refusal: RegdError | undefined;
  let hasLost = false;
  for (let pause = FIRST_PAUSE;; pause = Math.min(pause * 2, LONGEST_PAUSE)) {
    try {
      const connection = await connect(left());
      return await connection.ask<Result>(method, sent, left());
    } catch (failure) {
      let wait = pause;
      let again = false;
      if (failure instanceof RegdError) {
        refusal = failure;
        again = failure.retryable && failure.pending;
        wait = Math.max(failure.retryAfter ?? 0, pause);
      } else if (failure instanceof NoAnswer) {
        // a regd that was not there at all is no restart that takes a moment
        again = failure.mayHaveHappened || hasLost;
        hasLost = true;
      }
      if (!again || repetition === undefined || wait >= left()) {
        // what regd has said before says more than that time is over
        throw refusal ?? failure;
      }
      await sleep(wait * 1000);
    }
  }
}

function present(params: object): object {
  return Object.fromEntries(
    Object.entries(params).filter(([, value]) =>
      value !== undefined && value !== null
    ),
  );
}

type Call = <Result>(
  method: string,
  params: object,
  options?: CallOptions,
) => Promise<Result>;

// regd: begin methods

export class RpcMethods {
  readonly #call: Call;

  constructor(call: Call) {
    this.#call = call;
  }

  ping(
    options?: CallOptions,
  ): Promise<"pong"> {
    return this.#call("rpc.ping", {}, options);
  }
}

export class RegistrationMethods {
  readonly #call: Call;

  constructor(call: Call) {
    this.#call = call;
  }

  register(
    params: RegistrationRegisterParams = {},
    options?: CallOptions,
  ): Promise<AccountOrClaim> {
    return this.#call("registration.register", params, options);
  }
}

export class OwnerMethods {
  readonly #call: Call;

  constructor(call: Call) {
    this.#call = call;
  }

  setDisplayName(
    params: OwnerSetDisplayNameParams,
    options?: CallOptions,
  ): Promise<AccountResult> {
    return this.#call("owner.setDisplayName", params, options);
  }

  delete(
    params: OwnerDeleteParams,
    options?: CallOptions,
  ): Promise<void> {
    return this.#call("owner.delete", params, options);
  }
}

// regd: end

export interface FormFields {
  email?: string | null;
  password?: string | null;
  passwordConfirmation?: string | null;
  code?: string | null;
  invitation?: string | null;
  terms?: string | null;
  displayName?: string | null;
}

/** The state of each kind of form. */
export interface FormStates {
  registration: RegistrationFormState;
  signIn: SignInFormState;
  recovery: RecoveryFormState;
}

interface FormListener {
  changed(state: FormState): void;
  happened(event: FormEvent): void;
}

/** A screen whose state and decisions are regd's; it ends with its connection. */
export class Form<State extends FormState = FormState> {
  /** The state to show, as regd has told it last. */
  state: State;
  readonly #connection: Connection;
  readonly #number: number;
  readonly #timeout: number;
  #events: FormEvent[] = [];

  /** For Client.form. */
  constructor(connection: Connection, opened: FormWithState, timeout: number) {
    this.#connection = connection;
    this.#number = opened.form;
    this.#timeout = timeout;
    this.state = opened.state as State;
    connection.forms.set(opened.form, this);
  }

  /** Sets fields; those that are absent stay. */
  async set(fields: FormFields): Promise<State> {
    return await this.#ask("form.set", fields);
  }

  /** Presses the button, and tells what is to be shown until the form rests. */
  async submit(): Promise<FormEvent[]> {
    this.#events = [];
    await this.#ask("form.submit", {});
    return this.#events;
  }

  /** Closes the form; regd forgets what was typed into it. */
  async close(): Promise<void> {
    this.#connection.forms.delete(this.#number);
    if (this.#connection.isOpen) {
      const params = { form: this.#number };
      await this.#connection.ask("form.close", params, this.#timeout);
    }
  }

  /** For the connection. */
  changed(state: FormState): void {
    this.state = state as State;
  }

  /** For the connection. */
  happened(event: FormEvent): void {
    this.#events.push(event);
  }

  async #ask(method: string, fields: object): Promise<State> {
    const params = { form: this.#number, ...fields };
    const { state } = await this.#connection.ask<FormStateResult>(
      method,
      params,
      this.#timeout,
    );
    return this.state = state as State;
  }
}

/** The events since the subscription; ends with NoAnswer, or when it is left. */
export class Subscription {
  /** Resolves once regd reports events. */
  readonly ready: Promise<void>;
  readonly #told: Event[] = [];
  #connection: Connection | undefined;
  #failure: Error | undefined;
  #isClosed = false;
  #wake = () => {};

  /** For Client.subscribe. */
  constructor(connection: Promise<Connection>, timeout: number) {
    this.ready = this.#begin(connection, timeout);
    // a failure is reported by next() as well
    this.ready.catch((failure) => this.#end(failure));
  }

  async next(): Promise<IteratorResult<Event, never>> {
    await this.ready;
    for (;;) {
      const value = this.#told.shift();
      if (this.#isClosed) return { done: true, value: undefined as never };
      if (value) return { done: false, value };
      if (this.#failure) throw this.#failure;
      await new Promise<void>((resolve) => this.#wake = resolve);
    }
  }

  /** Ends the subscription and its connection. */
  async return(_value?: never): Promise<IteratorResult<Event, never>> {
    this.#isClosed = true;
    this.#connection?.close();
    this.#wake();
    return { done: true, value: undefined as never };
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  async #begin(opening: Promise<Connection>, timeout: number): Promise<void> {
    const connection = this.#connection = await opening;
    connection.onEvent = (event) => {
      this.#told.push(event);
      this.#wake();
    };
    connection.onEnd = (why) => this.#end(why);
    if (this.#isClosed) return connection.close();
    try {
      await connection.ask("events.subscribe", {}, timeout);
      connection.listen();
    } catch (failure) {
      connection.close();
      throw failure;
    }
  }

  #end(failure: Error): void {
    this.#failure = failure;
    this.#wake();
  }
}

/** Calls regd. */
export class Client {
  // regd: begin members
  readonly rpc: RpcMethods;
  readonly registration: RegistrationMethods;
  readonly owner: OwnerMethods;
  // regd: end
  readonly #path: string;
  readonly #timeout: number;
  readonly #language: string | undefined;
  #connection: Promise<Connection> | undefined;

  constructor(options: ClientOptions = {}) {
    this.#path = options.path ?? process.env["REGD_SOCKET_PATH"] ??
      "/run/regd/regd.sock";
    // longer than regd takes for a request at most (limits.requestSeconds)
    this.#timeout = options.timeout ?? 35;
    this.#language = options.language;
    const call: Call = (method, params, options) =>
      attempt(
        method,
        params,
        options?.timeout ?? this.#timeout,
        (timeout) => this.#connected(timeout),
      );
    // regd: begin assignments
    this.rpc = new RpcMethods(call);
    this.registration = new RegistrationMethods(call);
    this.owner = new OwnerMethods(call);
    // regd: end
  }

  /** Opens a form. */
  async form<Kind extends keyof FormStates>(
    kind: Kind,
    options: { origin?: string; language?: string } = {},
  ): Promise<Form<FormStates[Kind]>> {
    const connection = await this.#connected(this.#timeout);
    const opened = await connection.ask<FormWithState>(
      "form.open",
      { kind, ...options },
      this.#timeout,
    );
    return new Form(connection, opened, this.#timeout);
  }

  /**
   * Subscribes to events at once, on a separate connection. Await `ready` of the
   * result before you do what the events are to tell you of.
   */
  subscribe(): Subscription {
    return new Subscription(this.#connect(this.#timeout), this.#timeout);
  }

  /** Ends the connection; a later call opens another. */
  close(): void {
    this.#connection?.then((connection) => connection.close(), () => {});
    this.#connection = undefined;
  }

  async #connected(timeout: number): Promise<Connection> {
    const kept = this.#connection;
    if (kept) {
      const connection = await kept.catch(() => undefined);
      if (connection?.isOpen) return connection;
      // whoever comes first opens another one, for all
      if (this.#connection !== kept && this.#connection) {
        return await this.#connection;
      }
    }
    return await (this.#connection = this.#connect(timeout));
  }

  async #connect(timeout: number): Promise<Connection> {
    const connection = await Connection.open(this.#path, timeout);
    if (this.#language !== undefined) {
      const params = { language: this.#language };
      await connection.ask("rpc.language", params, timeout);
    }
    return connection;
  }
}
