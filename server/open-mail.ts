// Opens the mail transport: the SMTP server of SMTP_URL; without one, the log and the data folder in development, and
// none in production.

import type { Logger } from 'pino'
import { Counter, Gauge, type Registry } from 'prom-client'
import type { CodeMail, Mail } from '../stores/contract/mail.ts'
import { createFolderMail, mailFolder } from '../stores/smtp/folder.ts'
import { createSmtpMail, smtpServerOf } from '../stores/smtp/smtp.ts'
import type { Config } from './config.ts'

interface Setting {
  readonly config: Pick<Config, 'smtpUrl' | 'production' | 'dataDir' | 'publicUrl'>
  readonly log: Logger
  readonly metrics: Registry
  readonly now: () => number
}

export async function openMail({ config, log, metrics, now }: Setting): Promise<Mail | null> {
  const { smtpUrl, production, dataDir, publicUrl } = config
  if (smtpUrl === null && production) {
    log.warn('no SMTP_URL: players cannot sign in by a code, until it is set')
    return null
  }
  const failures = new Counter({
    name: 'scorebook_mail_failures_total',
    help: 'Tries to send a mail that failed.',
    labelNames: ['given_up'],
    registers: [metrics],
  })
  const failed = (error: unknown, isLast: boolean) => {
    failures.inc({ given_up: String(isLast) })
    // A mail server's message may contain the address: log only the kind of failure.
    const code: unknown = error instanceof Error ? (Reflect.get(error, 'code') ?? error.name) : 'unknown'
    log.error({ code: String(code), given_up: isLast }, 'a mail could not be sent')
  }
  const gauge = new Gauge({
    name: 'scorebook_mail_waiting',
    help: 'Mails that wait or are being sent.',
    registers: [metrics],
  })
  const waiting = (count: number) => gauge.set(count)
  if (smtpUrl !== null) return createSmtpMail(smtpServerOf(smtpUrl, new URL(publicUrl).hostname), { failed, waiting })
  const onWritten = ({ email, code }: CodeMail, file: string) =>
    log.info({ address: email, code, file }, 'a mail was written to a file, because SMTP_URL is not set')
  return createFolderMail({ folder: mailFolder(dataDir), onWritten, now, failed, waiting })
}
