// Checks an EventStoreDB at each URL in the arguments, and prints one line for each, as an operator would see it.

import { checkEventStore } from '../../stores/eventstoredb/check.ts'

for (const url of process.argv.slice(2)) {
  const text = await checkEventStore({ url, prefixes: ['s-'], deadlineMs: 250 }).then(
    ({ version }) => version,
    (error: Error) => `${error.name}: ${error.message}`,
  )
  console.log(text)
}
