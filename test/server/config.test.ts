// The settings of a process: two profiles of stores, values that are trimmed, and all faults at once.

import { expect } from 'chai'
import { DEFAULT_ADDRESS_LIMITS, DEFAULT_RATE_LIMITS } from '../../runtime/rate-limits.ts'
import { ConfigFault, readConfig, readExportConfig } from '../../server/config.ts'

const URLS = {
  EVENTSTORE_URL: 'esdb://user:hunter@log:2113?tls=true',
  MONGODB_URL: 'mongodb://user:hunter@documents:27017/scorebook',
  REDIS_URL: 'redis://user:hunter@ranks:6379',
} as const
type Name = keyof typeof URLS
const NAMES = Object.keys(URLS) as Name[]

const SERVERS = { eventStoreUrl: URLS.EVENTSTORE_URL, mongoUrl: URLS.MONGODB_URL, redisUrl: URLS.REDIS_URL }
const NOT_SET = [undefined, '', ' \t']

type Env = Readonly<Record<string, string | undefined>>

function faultsOf(env: Env): readonly string[] {
  try {
    readConfig(env)
    return []
  } catch (failure) {
    if (failure instanceof ConfigFault) return failure.faults
    throw failure
  }
}

const subset = (names: readonly Name[], other: string | undefined): Env =>
  Object.fromEntries(NAMES.map((name) => [name, names.includes(name) ? URLS[name] : other]))

/** Every mix: the variables that are set, and the part of the fault that names both groups. */
const MIXES: readonly (readonly [set: readonly Name[], says: string])[] = [
  [['EVENTSTORE_URL'], 'EVENTSTORE_URL is set, but MONGODB_URL and REDIS_URL are missing'],
  [['MONGODB_URL'], 'MONGODB_URL is set, but EVENTSTORE_URL and REDIS_URL are missing'],
  [['REDIS_URL'], 'REDIS_URL is set, but EVENTSTORE_URL and MONGODB_URL are missing'],
  [['EVENTSTORE_URL', 'MONGODB_URL'], 'EVENTSTORE_URL and MONGODB_URL are set, but REDIS_URL is missing'],
  [['EVENTSTORE_URL', 'REDIS_URL'], 'EVENTSTORE_URL and REDIS_URL are set, but MONGODB_URL is missing'],
  [['MONGODB_URL', 'REDIS_URL'], 'MONGODB_URL and REDIS_URL are set, but EVENTSTORE_URL is missing'],
]

describe('the profiles of stores', () => {
  it('are embedded stores without any of the three URLs, and servers with all of them', () => {
    for (const other of NOT_SET) expect(readConfig(subset([], other)).servers).to.equal(null)
    expect(readConfig(URLS).servers).to.deep.equal(SERVERS)
  })

  for (const [set, says] of MIXES) {
    it(`are not mixed: with only ${set.join(' and ')}, one fault names what is set, what is missing and what to do`, () => {
      const missing = NAMES.filter((name) => !set.includes(name))
      for (const other of NOT_SET) {
        expect(faultsOf(subset(set, other))).to.deep.equal([
          `${says}: the three are used together. Set ${missing.join(' and ')} too, or unset ${set.join(' and ')} for the ` +
            'embedded stores. To move an installation that ran like this, see "From some of the servers to all or none" in ' +
            'docs/servers.md.',
        ])
      }
    })

    it(`may be mixed for an export, with only ${set.join(' and ')}`, () => {
      const { config, servers } = readExportConfig(subset(set, ''))
      expect(config.servers).to.equal(null)
      const { EVENTSTORE_URL: eventStoreUrl, MONGODB_URL: mongoUrl, REDIS_URL: redisUrl } = subset(set, undefined)
      expect({ eventStoreUrl: undefined, mongoUrl: undefined, redisUrl: undefined, ...servers }).to.deep.equal({
        ...{ eventStoreUrl, mongoUrl, redisUrl },
      })
    })
  }

  it('leave the stores of files and the mail server independent', () => {
    const others = { S3_URL: 'https://key:secret@s3.example.com/files', SMTP_URL: 'smtp://mail.example.com:587' }
    for (const urls of [{}, URLS]) {
      expect(readConfig({ ...urls, ...others })).to.include({ s3Url: others.S3_URL, smtpUrl: others.SMTP_URL })
      expect(readConfig({ ...urls, FILES_DIR: '/srv/files' }).filesDir).to.equal('/srv/files')
    }
    expect(readConfig({ DATA_DIR: '/srv' }).filesDir).to.equal('/srv/files')
    expect(readConfig({ ...URLS, DATA_DIR: '/srv' }).filesDir).to.equal(null)
  })

  it('are on servers for a process with only some roles', () => {
    expect(readConfig({ ...URLS, ROLES: 'projector' }).roles).to.deep.equal(new Set(['projector']))
    expect(faultsOf({ ROLES: 'api,projector' })).to.deep.equal([
      'ROLES is only api, projector: processes with the other roles must reach the same stores. Set EVENTSTORE_URL, ' +
        'MONGODB_URL and REDIS_URL too, or unset ROLES.',
    ])
    expect(faultsOf({ ROLES: 'rooms,api,projector' })).to.deep.equal([])
    const [ofRoles, ofMix, ...others] = faultsOf({ ROLES: 'api', MONGODB_URL: URLS.MONGODB_URL })
    expect(ofRoles).to.match(/^ROLES is only api: .* Set EVENTSTORE_URL and REDIS_URL too, or unset ROLES\.$/)
    expect(ofMix).to.match(/^MONGODB_URL is set, but EVENTSTORE_URL and REDIS_URL are missing: /)
    expect(others).to.deep.equal([])
  })
})

describe('the settings of a process', () => {
  it('are trimmed, and empty ones are unset', () => {
    const config = readConfig({
      PORT: ' 8081\n',
      HOST: '',
      DATA_DIR: ' ',
      REDIS_URL: '\t',
      ROLES: ' api , rooms,projector ',
    })
    expect(config).to.include({ port: 8081, host: '127.0.0.1', dataDir: './data', servers: null })
    expect(config.roles).to.deep.equal(new Set(['api', 'rooms', 'projector']))
  })

  it('report the faults of single values and of combinations together, without showing a value', () => {
    const faults = faultsOf({
      NODE_ENV: 'production',
      PORT: '70000',
      EVENTSTORE_URL: 'http://user:hunter@log',
      MONGODB_URL: URLS.MONGODB_URL,
      PUBLIC_URL: 'not-a-url',
      MASTER_KEY: 'c2hvcnQ=',
      RATE_LIMITS: 'none',
      ROLES: 'api,postman',
      S3_URL: 'https://key:secret@s3.example.com/files',
      FILES_DIR: '/srv/files',
    })
    expect(faults.map((fault) => fault.split(' ', 1)[0])).to.have.members([
      ...[
        'PORT:',
        'EVENTSTORE_URL:',
        'PUBLIC_URL:',
        'ROLES.1:',
        'FILES_DIR',
        'MASTER_KEY',
        'RATE_LIMITS',
        'EVENTSTORE_URL',
      ],
    ])
    expect(faults.find((fault) => fault.startsWith('EVENTSTORE_URL '))).to.match(
      /^EVENTSTORE_URL and MONGODB_URL are set, but REDIS_URL is missing: /,
    )
    expect(faults.join('\n')).not.to.match(/hunter|c2hvcnQ|not-a-url|postman|secret@/)
  })

  it('take MEMORY in MiB or GiB, and all that the process has without it', () => {
    const bytes = ['', '256M', '768m', '2G', ' 10g '].map((MEMORY) => readConfig({ MEMORY }).memory)
    expect(bytes).to.deep.equal([null, 256 * 2 ** 20, 768 * 2 ** 20, 2 * 2 ** 30, 10 * 2 ** 30])
    for (const MEMORY of ['2', '2 G', '1.5G', '-1G', '512MB', '2GiB', '0x1G', '1e3M']) {
      expect(faultsOf({ MEMORY }), MEMORY).to.deep.equal([
        'MEMORY: must be a number of MiB or GiB, such as 768M or 2G.',
      ])
    }
    for (const MEMORY of ['0G', '255M']) {
      expect(faultsOf({ MEMORY }), MEMORY).to.deep.equal(['MEMORY: must be at least 256M.'])
    }
  })

  it('take limits of network addresses in RATE_LIMITS over the defaults, also with the rates', () => {
    const set = {
      login_address: { max: 50, perSeconds: 900 },
      rooms_address: { max: 1 },
      player: { perSecond: 1, burst: 2 },
    }
    const { addressLimits, rateLimits } = readConfig({ RATE_LIMITS: JSON.stringify(set) })
    const { player, ...addresses } = set
    expect(addressLimits).to.deep.equal({ ...DEFAULT_ADDRESS_LIMITS, ...addresses })
    expect(rateLimits).to.deep.equal({ ...DEFAULT_RATE_LIMITS, player })
    expect(readConfig({ RATE_LIMITS: 'off' }).addressLimits).to.deep.equal(DEFAULT_ADDRESS_LIMITS)
    expect(readConfig({}).addressLimits).to.deep.equal(DEFAULT_ADDRESS_LIMITS)
  })

  for (const [set, fault] of [
    [{ login_address: { max: 0, perSeconds: 60 } }, 'login_address.max must be a whole number from 1 to 100,000'],
    [{ login_address: { max: 1.5, perSeconds: 60 } }, 'login_address.max must be a whole number from 1 to 100,000'],
    [{ login_address: { max: '20', perSeconds: 60 } }, 'login_address.max must be a whole number from 1 to 100,000'],
    [{ mail_address: { max: 100_001, perSeconds: 60 } }, 'mail_address.max must be a whole number from 1 to 100,000'],
    [{ code_address: { max: 20 } }, 'code_address.perSeconds must be a whole number from 1 to 86,400'],
    [
      { code_address: { max: 20, perSeconds: 86_401 } },
      'code_address.perSeconds must be a whole number from 1 to 86,400',
    ],
    [{ code_address: { max: 20, perSeconds: -1 } }, 'code_address.perSeconds must be a whole number from 1 to 86,400'],
    [{ mail_address: 20 }, 'mail_address must be an object, such as {"max":20,"perSeconds":900}'],
    [{ mail_address: null }, 'mail_address must be an object, such as {"max":20,"perSeconds":900}'],
    [{ rooms_address: { max: 20, perSeconds: 60 } }, 'rooms_address.perSeconds is unknown: remove it'],
    [{ rooms_address: {} }, 'rooms_address.max must be a whole number from 1 to 100,000'],
    [{ room_address: { max: 20 } }, 'room_address is unknown: remove it'],
    [{ player: { perSecond: 0, burst: 1 } }, 'player.perSecond must be a number above 0'],
    [{ player: { perSecond: 1, burst: 0.5 } }, 'player.burst must be a whole number above 0'],
  ] as const) {
    it(`refuse RATE_LIMITS=${JSON.stringify(set)}, and name the field`, () => {
      expect(faultsOf({ RATE_LIMITS: JSON.stringify(set) })).to.deep.equal([`RATE_LIMITS: ${fault}.`])
    })
  }

  it('have an origin as PUBLIC_URL, without the closing slash', () => {
    for (const url of ['https://scores.example.com', 'http://127.0.0.1:8080', 'http://[::1]:8080']) {
      expect(readConfig({ PUBLIC_URL: url }).publicUrl).to.equal(url)
      expect(readConfig({ PUBLIC_URL: `${url}/` }).publicUrl).to.equal(url)
    }
  })

  for (const [rest, part] of [
    ['/scores', 'a path'],
    ['//', 'a path'],
    ['/?a=1', 'a query'],
    ['#top', 'a fragment'],
    ['/a?b#c', 'a path, a query and a fragment'],
  ]) {
    it(`refuse a PUBLIC_URL that ends with ${rest}, and name ${part}`, () => {
      expect(faultsOf({ PUBLIC_URL: `https://scores.example.com${rest}` })).to.deep.equal([
        `PUBLIC_URL: must be an origin, such as https://scores.example.com, and has ${part}.`,
      ])
    })
  }

  it('have an origin as REALTIME_URL too, and no query or fragment in API_URL', () => {
    expect(readConfig({ REALTIME_URL: 'HTTPS://Rooms.example.com:443/' }).realtimeUrl).to.equal(
      'https://rooms.example.com',
    )
    expect(readConfig({ PUBLIC_URL: 'http:scores.example.com' }).publicUrl).to.equal('http://scores.example.com')
    expect(faultsOf({ REALTIME_URL: 'https://rooms.example.com/?x=1#y' })).to.deep.equal([
      'REALTIME_URL: must be an origin, such as https://scores.example.com, and has a query and a fragment.',
    ])
    expect(readConfig({ API_URL: 'http://10.0.0.1:8080/games/' }).apiUrl).to.equal('http://10.0.0.1:8080/games')
    for (const rest of ['?x', '#y'])
      expect(faultsOf({ API_URL: `http://10.0.0.1${rest}` })).to.deep.equal([
        'API_URL: must have no query and no fragment.',
      ])
  })

  it('refuse a PUBLIC_URL with a user, and one that is no http URL, without showing it', () => {
    expect(faultsOf({ PUBLIC_URL: 'https://user:hunter@scores.example.com' })).to.deep.equal([
      'PUBLIC_URL: must be an origin, such as https://scores.example.com, and has a user.',
    ])
    for (const url of ['scores.example.com', 'ftp://scores.example.com', 'https://']) {
      expect(faultsOf({ PUBLIC_URL: url })).to.deep.equal(['PUBLIC_URL: must be an http(s) URL.'])
    }
  })

  it('let the admin port move only in development, if it is not set', () => {
    const production = {
      NODE_ENV: 'production',
      PUBLIC_URL: 'https://scores.example.com',
      MASTER_KEY: Buffer.alloc(32, 7).toString('base64'),
    }
    expect(readConfig({})).to.include({ adminPort: 9090, adminPortMayMove: true })
    expect(readConfig({ ADMIN_PORT: '9090' }).adminPortMayMove).to.equal(false)
    expect(readConfig(production)).to.include({ adminPort: 9090, adminPortMayMove: false })
  })
})
