// Mail by SMTP, to the server that SMTP_URL names: `smtp://user:password@host:587?from=game@example.com`, or `smtps://`
// for TLS from the first byte. With a name and password on another machine the connection must become a TLS one.

import { createTransport } from 'nodemailer'
import type { CodeMail, Mail } from '../stores/contract/mail.ts'
import { messageOf } from './message.ts'
import { createOutbox, MailRefused, type OutboxOptions } from './outbox.ts'

const CONNECT_MS = 10_000
const SILENT_MS = 20_000
const LOOPBACK = /^(localhost|127(?:\.\d+){3}|\[::1\])$/

interface SmtpServer {
  readonly host: string
  readonly port: number
  /** TLS from the first byte. */
  readonly secure: boolean
  /** Nothing is said before the connection has become a TLS one. */
  readonly requireTLS: boolean
  readonly auth: { readonly user: string; readonly pass: string } | null
  readonly from: string
}

/** Throws a TypeError, without showing the URL, where it is none of the two kinds. */
export function smtpServerOf(text: string, fromHost: string): SmtpServer {
  const url = new URL(text)
  const { protocol, hostname, username, password, searchParams } = url
  if (!/^smtps?:$/.test(protocol) || hostname === '') throw new TypeError('no SMTP URL')
  const secure = protocol === 'smtps:'
  const auth = username === '' ? null : { user: decodeURIComponent(username), pass: decodeURIComponent(password) }
  return {
    host: hostname.replace(/^\[(.*)\]$/, '$1'),
    port: url.port === '' ? (secure ? 465 : 587) : Number(url.port),
    secure,
    requireTLS: !secure && auth !== null && !LOOPBACK.test(hostname),
    auth,
    from:
      searchParams.get('from') ??
      `no-reply@${/[a-z]/i.test(fromHost) && !fromHost.includes(':') ? fromHost : 'localhost'}`,
  }
}

export function createSmtpMail(server: SmtpServer, options: Omit<OutboxOptions, 'deliver' | 'end'>): Mail {
  const { auth, from, ...place } = server
  const transport = createTransport({
    ...place,
    ...(auth === null ? {} : { auth }),
    pool: true,
    connectionTimeout: CONNECT_MS,
    greetingTimeout: CONNECT_MS,
    dnsTimeout: CONNECT_MS,
    socketTimeout: SILENT_MS,
    // What a mail holds is put together here: nothing of it names a file or an address to fetch.
    disableFileAccess: true,
    disableUrlAccess: true,
  })
  const deliver = async (mail: CodeMail) => {
    const { to, subject, text } = messageOf(mail)
    try {
      await transport.sendMail({ from, to: { name: '', address: to }, subject, text })
    } catch (why) {
      throw isFinal(why) ? new MailRefused(why) : why
    }
  }
  return createOutbox({ ...options, deliver, end: () => transport.close() })
}

/** A reply of 5yz says that this mail will never be taken (RFC 5321, 4.2.1). */
function isFinal(why: unknown): boolean {
  const code: unknown = why instanceof Error ? Reflect.get(why, 'responseCode') : undefined
  return typeof code === 'number' && code >= 500 && code < 600
}
