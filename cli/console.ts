// `scorebook console`: opens the console in the browser, signed in by a link that works once within 30 seconds.

import { spawn } from 'node:child_process'
import { asGame, asOperator } from './authenticated-clients.ts'
import { type Answer, does, type Shell } from './command.ts'
import { withExamples } from './terminal.ts'

/** How long the program that opens the browser has to fail. */
const OPENED_WITHIN_MS = 2_000

export function consoleCommand(shell: Shell): void {
  const command = shell.program.command('console').description('open the console in the browser, signed in')
  command.option('--print', 'print the address instead; it signs in once, within 30 seconds')
  withExamples(command, 'console', 'console --game abcd2345abcd2345abcd2345', 'console --print')
  does<{ print?: boolean }>(shell, command, async ({ target, options }): Promise<Answer> => {
    const client = target.game === null ? await asOperator(target) : (await asGame(target)).client
    const { code, expires_in: expiresIn } = await client.consoleLink()
    const url = `${target.url.replace(/\/+$/, '')}/console/#code=${code}`
    if (options.print === true) return { json: { url, expires_in: expiresIn }, lines: [url] }
    const isOpen = await openInBrowser(url)
    const lines = isOpen
      ? ['Opened the console in the browser.']
      : ['No browser could be started. Open this address:', url]
    return { json: { url, expires_in: expiresIn, opened: isOpen }, lines }
  })
}

/** Whether the system's program for it could be started and did not fail at once. */
function openInBrowser(url: string): Promise<boolean> {
  const [program, args] = openerOf(process.platform)
  return new Promise((resolve) => {
    const child = spawn(program, [...args, url], { detached: true, stdio: 'ignore' })
    const timer = setTimeout(() => resolve(true), OPENED_WITHIN_MS)
    const end = (isOpen: boolean) => {
      clearTimeout(timer)
      resolve(isOpen)
    }
    child.once('error', () => end(false))
    child.once('exit', (code) => end(code === 0))
    child.unref()
  })
}

function openerOf(platform: NodeJS.Platform): readonly [program: string, args: readonly string[]] {
  if (platform === 'darwin') return ['open', []]
  return platform === 'win32' ? ['cmd', ['/c', 'start', '""']] : ['xdg-open', []]
}
