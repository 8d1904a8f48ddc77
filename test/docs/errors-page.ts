// Generates docs/errors.md from the registry of codes. To regenerate it: npx tsx test/docs/errors-page.ts >
// docs/errors.md

import { pathToFileURL } from 'node:url'
import { PROBLEMS } from '../../http/problem-codes.ts'

const OPENING = `# Errors

Every refusal is a problem document (RFC 9457, see [protocol.md](protocol.md), section 3). \`code\` is stable: it is never renamed,
and its status never changes. This page is generated from the registry in \`http/problem-codes.ts\`; a test checks that the two agree.
`

export function errorsPage(): string {
  const statuses = [...new Set(Object.values(PROBLEMS).map(({ status }) => status))].sort((a, b) => a - b)
  return [OPENING, ...statuses.map(section)].join('\n')
}

function section(status: number): string {
  const rows = Object.entries(PROBLEMS)
    .filter(([, problem]) => problem.status === status)
    .map(([code, { title, todo }]) => `| \`${code}\` | ${title} | ${todo} |`)
    .sort()
  return [`## ${status}`, '', '| Code | Title | What to do |', '|---|---|---|', ...rows, ''].join('\n')
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) process.stdout.write(errorsPage())
