// The mails that a server in development writes to its folder.

import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { turn } from '../until.ts'
import { must, type World } from './world.ts'

type Sender = Pick<World, 'call' | 'dataDir'>

/** The mails to an address, the oldest first. */
export async function mailsTo({ dataDir }: Pick<World, 'dataDir'>, email: string): Promise<string[]> {
  const folder = join(dataDir, 'mail')
  const files = (await readdir(folder).catch(() => [])).toSorted()
  const mails = await Promise.all(files.map((file) => readFile(join(folder, file), 'utf8')))
  return mails.filter((mail) => mail.includes(`\r\nTo: ${email}\r\n`))
}

export const codeIn = (mail: string): string => /^Subject: (\d{6}) /m.exec(mail)?.[1] ?? ''

/** Asks for a code and waits for its mail. */
export async function mailedCode(world: Sender, game: string, token: string, email: string): Promise<string> {
  const before = (await mailsTo(world, email.toLowerCase())).map(codeIn)
  must(await world.call('POST', `/api/gm/${game}/player/code/`, { token, body: { email } }), 202)
  for (;;) {
    const mails = await mailsTo(world, email.toLowerCase())
    // The file of a mail exists before it is complete.
    const fresh = mails.map(codeIn).filter((code) => code !== '' && !before.includes(code))
    if (mails.length > before.length && fresh.length > 0) return fresh.at(-1) ?? ''
    await turn()
  }
}

/** Waits for the first mail to an address; returns its code. */
export async function firstCode(world: Pick<World, 'dataDir'>, email: string): Promise<string> {
  for (;;) {
    const [code = ''] = (await mailsTo(world, email)).map(codeIn)
    if (code !== '') return code
    await turn()
  }
}
