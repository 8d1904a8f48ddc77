// Checks deploy/compose-one-node.yaml and its files without a container engine.

import { expect } from 'chai'
import { parse } from 'yaml'
import { VERSION } from '../../runtime/version.ts'
import { readConfig, VARIABLES } from '../../server/config.ts'
import { composeFile, environmentOf, read } from './compose-file.ts'

const FILE = 'deploy/compose-one-node.yaml'
const filled = composeFile({ SITE: 'scores.example.com', MASTER_KEY: Buffer.alloc(32, 7).toString('base64') }, FILE)

/** The names set in an example of an environment file. */
const namesIn = (file: string): string[] => [...read(file).matchAll(/^([A-Z_]+)=/gm)].map(([, name = '']) => name)

describe('the deployment of one node', () => {
  it('refuses to start without the site and the master key', () => {
    expect(() => composeFile({ MASTER_KEY: 'x' }, FILE)).to.throw('SITE: fill in .env')
    expect(() => composeFile({ SITE: 'x' }, FILE)).to.throw('MASTER_KEY: fill in .env')
    expect(namesIn('deploy/one-node.env.example')).to.deep.equal(['SITE', 'MASTER_KEY', 'SMTP_URL'])
  })

  it('is a valid production configuration that trusts the proxy alone', () => {
    for (const name of ['node', 'operator']) {
      const environment = environmentOf(filled.services[name] ?? expect.fail(name))
      expect(Object.keys(environment).filter((one) => !VARIABLES.includes(one))).to.deep.equal([])
      const config = readConfig(environment)
      expect(config).to.include({
        production: true,
        publicUrl: 'https://scores.example.com',
        dataDir: '/data',
        smtpUrl: null,
      })
      expect(environment.TRUSTED_PROXIES).to.equal('172.31.119.10')
    }
    expect(filled.services.caddy?.networks).to.deep.equal({ front: { ipv4_address: '172.31.119.10' } })
    expect(filled.services.node?.image).to.equal(`scorebook:${VERSION}`)
  })

  it('gives no container more than it needs, and publishes only the proxy to others', () => {
    for (const [name, service] of Object.entries(filled.services)) {
      expect(service.cap_drop, name).to.deep.equal(['ALL'])
      expect(service.read_only, name).to.equal(true)
      expect(service.mem_limit, name).to.be.a('string')
    }
    expect(filled.services.node?.ports).to.deep.equal(['127.0.0.1:9090:9090'])
  })

  it('has a systemd unit with known variables and an environment that is valid once it is filled in', () => {
    const unit = read('deploy/scorebook.service')
    const set = Object.fromEntries(
      [...(/^Environment=(.*)$/m.exec(unit)?.[1] ?? '').matchAll(/(\w+)=(\S+)/g)].map(([, name = '', value = '']) => [
        name,
        value,
      ]),
    )
    const names = namesIn('deploy/scorebook.env.example')
    expect(names.filter((name) => !VARIABLES.includes(name))).to.deep.equal([])
    const rest = { PUBLIC_URL: 'https://scores.example.com', MASTER_KEY: Buffer.alloc(32, 7).toString('base64') }
    expect(readConfig({ ...set, ...rest })).to.include({ production: true, dataDir: '/var/lib/scorebook' })
  })

  it('starts everywhere like npm start', () => {
    const start = 'node dist/cli/main.js serve'
    // Without exec, the shell between npm and the server would keep the signals of npm.
    expect(JSON.parse(read('package.json')).scripts.start).to.equal(`exec ${start}`)
    expect(read('deploy/scorebook.service')).to.include(`\nExecStart=/usr/bin/env ${start}\n`)
    const [entrypoint, command] = ['ENTRYPOINT', 'CMD'].map((name) =>
      JSON.parse(new RegExp(`^${name} (\\[.*\\])$`, 'm').exec(read('Dockerfile'))?.[1] ?? ''),
    )
    // Kubernetes and compose use the image's entry point.
    expect([...entrypoint, ...command].join(' ')).to.equal(start)
  })

  it('has Kubernetes manifests with known variables, probes, resources and locked containers for every role', () => {
    const { items } = parse(read('deploy/kubernetes.yaml'), { merge: true })
    const config = items.find((item: { kind: string }) => item.kind === 'ConfigMap')
    expect(Object.keys(config.data).filter((name) => !VARIABLES.includes(name))).to.deep.equal([])
    const deployments = items.filter((item: { kind: string }) => item.kind === 'Deployment')
    const roles = deployments.map(
      (one: { metadata: { name: string }; spec: { template: { spec: { containers: Container[] } } } }) => {
        const [node] = one.spec.template.spec.containers
        expect(node?.image).to.match(new RegExp(`:${VERSION}$`))
        expect(node).to.include.keys('readinessProbe', 'livenessProbe', 'startupProbe', 'resources')
        expect(node?.securityContext).to.include({ readOnlyRootFilesystem: true, allowPrivilegeEscalation: false })
        expect(node?.env).to.deep.equal([{ name: 'ROLES', value: one.metadata.name }])
        return one.metadata.name
      },
    )
    expect(roles).to.deep.equal(['api', 'projector', 'rooms'])
  })
})

interface Container {
  readonly image: string
  readonly env: readonly { readonly name: string; readonly value: string }[]
  readonly securityContext: Readonly<Record<string, unknown>>
}
