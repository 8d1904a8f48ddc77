// Mail in development without SMTP_URL: writes each mail to a folder as an .eml file and reports it for the log.

import { randomUUID } from 'node:crypto'
import { mkdir, open, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { CodeMail, Mail } from '../contract/mail.ts'
import { createOutbox, messageOf, type OutboxOptions } from './outbox.ts'

/** Where mails are written below the data folder. */
export const mailFolder = (dataDir: string): string => join(dataDir, 'mail')

interface FolderOptions extends Omit<OutboxOptions, 'deliver'> {
  readonly folder: string
  /** Called for each mail that was written, including its code. */
  readonly onWritten: (mail: CodeMail, file: string) => void
  /** Unix milliseconds. */
  readonly now: () => number
}

export function createFolderMail({ folder, onWritten, now, ...options }: FolderOptions): Mail {
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
    onWritten(mail, file)
  }
  return createOutbox({ ...options, deliver })
}

/** RFC 2047, where the text is not ASCII. */
function encodedWord(text: string): string {
  return /^[ -~]*$/.test(text) ? text : `=?utf-8?B?${Buffer.from(text).toString('base64')}?=`
}

/** Headers that identify the mails of a deleted game or player. */
const GAME_HEADER = 'X-Scorebook-Game'
const TO_HEADER = 'To'

/**
 * Removes the mails of a game, or only those to matching addresses. Mails of versions before 0.2.0 do not name their
 * game: they are removed by their address alone.
 */
export async function removeMailsOf(
  folder: string,
  game: string,
  matchesAddress?: (address: string) => boolean,
): Promise<void> {
  let isRemoved = false
  const names = await readdir(folder).catch(absent([]))
  for (const name of names) {
    if (!name.endsWith('.eml')) continue
    const path = join(folder, name)
    const lines = (await readFile(path, 'utf8').catch(absent(''))).split('\r\n')
    const of = headerOf(lines, GAME_HEADER)
    const isMatch =
      matchesAddress === undefined
        ? of === game
        : (of ?? game) === game && matchesAddress(headerOf(lines, TO_HEADER) ?? '')
    if (!isMatch) continue
    await rm(path, { force: true })
    isRemoved = true
  }
  if (isRemoved) await syncNames(folder)
}

/** After a power cut the names are still gone. The log may lose what names these mails next. */
async function syncNames(folder: string): Promise<void> {
  const opened = await open(folder, 'r')
  try {
    await opened.sync()
  } finally {
    await opened.close()
  }
}

/** Returns a default for a missing file or folder. Throws other errors, so that the removal is retried.  */
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
