// Mail by SMTP, to a real server of its own on the loopback.

import { expect } from 'chai'
import { pino } from 'pino'
import { Registry } from 'prom-client'
import { SMTPServer, type SMTPServerOptions } from 'smtp-server'
import { openMail } from '../../../server/open-mail.ts'
import { smtpServerOf } from '../../../stores/smtp/smtp.ts'
import { openSignInApi } from '../../front-door/sign-in-api.ts'
import { must, openWorld } from '../../front-door/world.ts'
import { until } from '../../until.ts'

interface Heard {
  readonly from: string
  readonly to: readonly string[]
  readonly text: string
}

/** A mail server that keeps what it takes. */
async function openMailServer(options: SMTPServerOptions = {}) {
  const heard: Heard[] = []
  const server = new SMTPServer({
    disabledCommands: ['STARTTLS', 'AUTH'],
    disableReverseLookup: true,
    onData(stream, { envelope }, done) {
      const chunks: Buffer[] = []
      stream.on('data', (chunk: Buffer) => chunks.push(chunk))
      stream.on('end', () => {
        const from = envelope.mailFrom === false ? '' : envelope.mailFrom.address
        heard.push({ from, to: envelope.rcptTo.map(({ address }) => address), text: Buffer.concat(chunks).toString() })
        done()
      })
    },
    ...options,
  })
  // A connection that is cut tells of it here; the sender's side says what matters.
  server.on('error', () => {})
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve))
  const address = server.server.address()
  const port = typeof address === 'object' && address !== null ? address.port : 0
  return { heard, port, close: () => new Promise<void>((resolve) => void server.close(() => resolve())) }
}

describe('mail by SMTP', () => {
  it('sends the code to its address, and writes it neither to the log nor to the folder', async () => {
    const server = await openMailServer()
    const smtpUrl = `smtp://127.0.0.1:${server.port}?from=game@example.com`
    const world = await openWorld({ smtpUrl, logLevel: 'trace' })
    try {
      const api = await openSignInApi(world)
      must(await api.post('code', { email: 'Ada@Example.com' }), 202)
      await until(() => server.heard.length > 0)
      const [mail] = server.heard
      expect([mail?.from, mail?.to]).to.deep.equal(['game@example.com', ['ada@example.com']])
      const code = /^Subject: (\d{6}) is your code for Quest\r$/m.exec(mail?.text ?? '')?.[1] ?? ''
      expect(mail?.text).to.include(`${code} is your code to sign in to Quest.`)
      expect((await api.post('code/verify', { email: 'ada@example.com', code })).status).to.equal(201)
      expect(world.lines.filter((line) => line.includes('ada@') || line.includes(code))).to.deep.equal([])
    } finally {
      await world.close()
      await server.close()
    }
  })

  it('neither delays nor changes the answer if the mail server rejects the mail', async () => {
    const server = await openMailServer({
      onRcptTo: ({ address }, _session, done) =>
        done(Object.assign(new Error(`no mailbox ${address}`), { responseCode: 550 })),
    })
    const world = await openWorld({ smtpUrl: `smtp://127.0.0.1:${server.port}`, logLevel: 'info' })
    try {
      const api = await openSignInApi(world)
      must(await api.post('code', { email: 'nobody@example.com' }), 202)
      await until(() => world.lines.some((line) => line.includes('a mail could not be sent')))
      const line = JSON.parse(world.lines.find((one) => one.includes('a mail could not be sent')) ?? '')
      expect(line).to.include({ code: 'MailRefused', given_up: true })
      expect(world.lines.filter((one) => one.includes('nobody@'))).to.deep.equal([])
    } finally {
      await world.close()
      await server.close()
    }
  })

  it('answers at once if the mail server is silent', async () => {
    const world = await openWorld({ smtpUrl: 'smtp://127.0.0.1:9' })
    try {
      const api = await openSignInApi(world)
      expect((await api.post('code', { email: 'slow@example.com' })).status).to.equal(202)
    } finally {
      await world.close()
    }
  })

  it('is disabled in production without SMTP_URL, which the start logs', async () => {
    const lines: string[] = []
    const log = pino({ level: 'info' }, { write: (line: string) => void lines.push(line) })
    const config = { smtpUrl: null, production: true, dataDir: '/nowhere', publicUrl: 'https://play.example.com' }
    expect(await openMail({ config, log, metrics: new Registry(), now: Date.now })).to.equal(null)
    expect(lines.map((line) => JSON.parse(line).msg)).to.deep.equal([
      'no SMTP_URL: players cannot sign in by a code, until it is set',
    ])
  })
})

describe('SMTP_URL', () => {
  const read = (text: string, host = 'play.example.com') => smtpServerOf(text, host)

  it('names server, sender and credentials', () => {
    expect(read('smtp://me%40x:p%2Fw@mail.example.com?from=a%2Bb@example.com')).to.deep.equal({
      host: 'mail.example.com',
      port: 587,
      secure: false,
      requireTLS: true,
      auth: { user: 'me@x', pass: 'p/w' },
      from: 'a+b@example.com',
    })
    expect(read('smtps://mail.example.com')).to.deep.equal({
      host: 'mail.example.com',
      port: 465,
      secure: true,
      requireTLS: false,
      auth: null,
      from: 'no-reply@play.example.com',
    })
    expect(read('smtp://u:p@127.0.0.1:2525', '127.0.0.1')).to.include({ requireTLS: false, from: 'no-reply@localhost' })
  })

  it('is refused if it names no server', () => {
    for (const text of ['http://mail.example.com', 'smtp:mail', 'smtp://']) expect(() => read(text)).to.throw()
  })
})
