/** The same as sync.py in TypeScript: main.ts SOCKET all|register. */

import process from "node:process";
import { Client, NoAnswer, Reason, RegdError } from "./regd.ts";

const password = "a fine phrase";
const passwordConfirmation = password;

async function register(client: Client, email: string): Promise<void> {
  try {
    const { account } = await client.registration.register({
      email,
      password,
      passwordConfirmation,
    });
    console.log("register", account?.state);
  } catch (error) {
    if (error instanceof RegdError) {
      console.log(
        "register",
        error.reason,
        error.retryable ? "retryable" : "False",
        error.pending ? "pending" : "False",
        error.retryAfter ?? "None",
      );
    } else if (error instanceof NoAnswer) {
      console.log(
        "register no answer",
        error.mayHaveHappened ? "perhaps" : "False",
      );
    } else throw error;
  }
}

async function signIn(client: Client, password: string): Promise<void> {
  try {
    const { account, stamp } = await client.session.signIn({
      email: "you@example.com",
      password,
    });
    const checked = await client.session.check({ account: account.id, stamp });
    console.log("sign-in", checked.account.state);
  } catch (error) {
    if (
      !(error instanceof RegdError) ||
      error.reason !== Reason.CredentialsRejected
    ) throw error;
    console.log("sign-in", error.reason, error.code);
  }
}

async function form(client: Client): Promise<void> {
  const form = await client.form("signIn");
  await form.set({ email: "you@example.com", password });
  const events = await form.submit();
  const last = events[events.length - 1];
  console.log("form", ...events.map((event) => event.event), last?.to);
  console.log("form", form.state.signedIn ? "True" : "False");
  await form.close();
}

async function names(client: Client): Promise<void> {
  const owner = { email: "you@example.com", password };
  const named = await client.owner.setDisplayName({
    ...owner,
    displayName: "Ada",
  });
  const unnamed = await client.owner.setDisplayName({
    ...owner,
    displayName: null,
  });
  console.log(
    "name",
    named.account.displayName,
    unnamed.account.displayName ? "True" : "False",
  );
  await client.account.addGroups({ email: owner.email, groups: ["staff"] });
  const { groups } = await client.group.list();
  console.log("group", groups[0]?.name, groups[0]?.members);
}

async function everything(client: Client): Promise<void> {
  console.log(await client.rpc.ping());
  const { problems } = await client.registration.validate({
    email: "email@test",
    password: "12345",
  });
  console.log(...problems.map((problem) => problem.reason));
  await register(client, "you@example.com");
  await register(client, "you@example.com");
  await signIn(client, password);
  await signIn(client, "a wrong phrase");
  await form(client);
  await names(client);
  const emails = Array.from({ length: 20 }, (_, n) => `n${n}@example.com`);
  const found = await Promise.all(
    emails.map((email) => client.registration.checkEmail({ email })),
  );
  console.log("many", found.filter((answer) => answer.available).length);
  await client.registration.register({ email: "x" }).catch((error) =>
    console.log(
      "problems",
      ...(error as RegdError).problems.map((problem) => problem.field),
    )
  );
  const { refused } = await client.account.import({
    records: [{ email: "x", passwordHash: "x" }],
  });
  console.log("import", refused[0]?.index);
  // the events include those between the subscription and the first look at them
  const events = client.subscribe();
  await events.ready;
  await register(client, "late@example.com");
  const { value } = await events.next();
  console.log("event", value.event, value.email);
  await events.return();
}

const [path = "", what = ""] = process.argv.slice(2);
const client = new Client({ path, timeout: 5 });
await (what === "all"
  ? everything(client)
  : register(client, "you@example.com"));
client.close();
