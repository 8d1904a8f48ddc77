// Mail in development, where no server is named: each is written to a folder as a file that mail
// programs open, and told of in the log.

import { randomUUID } from 'node:crypto'
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { CodeMail, Mail } from '../stores/contract/mail.ts'
import { messageOf } from './message.ts'
import { createOutbox, type OutboxOptions } from './outbox.ts'

/** Where mails are written below the data folder. */
export const mailFolder = (dataDir: string): string => join(dataDir, 'mail')

interface FolderOptions extends Omit<OutboxOptions, 'deliver'> {
  readonly folder: string
  /** Tells of a mail that was written, code and all. */
  readonly told: (mail: CodeMail, file: string) => void
  /** Unix milliseconds. */
  readonly now: () => number
}

export function createFolderMail({ folder, told, now, ...options }: FolderOptions): Mail {
  const deliver = async (mail: CodeMail) => {
    const { to, subject, text } = messageOf(mail)
    const date = new Date(now())
    const headers = [
      `Date: ${date.toUTCString().replace('GMT', '+0000')}`,
      'From: no-reply@localhost',
      `To: ${to}`,
      `Subject: ${encodedWord(subject)}`,
      ...(mail.gameId === undefined ? [] : [`${GAME_HEADER}: ${mail.gameId}`]),
      'MIME-Version: 1.0',
      'Content-Type: text/plain; charset=utf-8',
      'Content-Transfer-Encoding: 8bit',
    ]
    await mkdir(folder, { recursive: true, mode: 0o700 })
    const file = join(folder, `${date.toISOString().replaceAll(':', '-')}-${randomUUID().slice(0, 8)}.eml`)
    await writeFile(file, [...headers, '', text].join('\r\n'), { mode: 0o600, flag: 'wx' })
    told(mail, file)
  }
  return createOutbox({ ...options, deliver })
}

/** RFC 2047, where the text is not ASCII. */
function encodedWord(text: string): string {
  return /^[ -~]*$/.test(text) ? text : `=?utf-8?B?${Buffer.from(text).toString('base64')}?=`
}

/** By which the mails of a deleted game, or of a deleted player of it, are found. */
const GAME_HEADER = 'X-Scorebook-Game'
const TO_HEADER = 'To'

/**
 * Removes the mails of a game, or those of it that were sent to some addresses. Mails of versions before 0.2.0 do not name their
 * game: they are removed by their address alone.
 */
export async function removeMailsOf(
  folder: string,
  game: string,
  isTheirs?: (address: string) => boolean,
): Promise<void> {
  const names = await readdir(folder).catch(absent([]))
  for (const name of names) {
    if (!name.endsWith('.eml')) continue
    const path = join(folder, name)
    const lines = (await readFile(path, 'utf8').catch(absent(''))).split('\r\n')
    const of = headerOf(lines, GAME_HEADER)
    const isMeant =
      isTheirs === undefined ? of === game : (of ?? game) === game && isTheirs(headerOf(lines, TO_HEADER) ?? '')
    if (isMeant) await rm(path, { force: true })
  }
}

/** What stands in for a file or folder that does not exist. Any other failure is thrown: the removal is tried again. */
function absent<Value>(instead: Value): (error: NodeJS.ErrnoException) => Value {
  return (error) => {
    if (error.code === 'ENOENT') return instead
    throw error
  }
}

function headerOf(lines: readonly string[], header: string): string | null {
  const start = `${header}: `
  return (
    lines
      .slice(0, lines.indexOf(''))
      .find((line) => line.startsWith(start))
      ?.slice(start.length) ?? null
  )
}
