// Every address, port, volume, variable and health check of compose.yaml leads somewhere. The check itself is tried on
// the file of version 0.1.0, which could not start, and on the present file with one thing wrong at a time.

import { expect } from 'chai'
import { composeFaults } from './compose-faults.ts'
import { type Compose, composeFile, filledVariables, read, type Service } from './compose-file.ts'

const variables = { ...filledVariables(), MINIO_ROOT_PASSWORD: 'of version 0.1.0' }
const nginx = read('deploy/nginx.conf')

/** The faults of the present file with a service changed. */
function faultsWith(name: string, change: (service: Service) => Partial<Service>): string[] {
  const compose = composeFile(variables)
  const service = compose.services[name]
  if (service === undefined) throw new Error(`compose.yaml has no service ${name}`)
  const changed: Compose = { ...compose, services: { ...compose.services, [name]: { ...service, ...change(service) } } }
  return composeFaults(changed, nginx)
}

const withVariable = (variable: string, value: string) => (service: Service) => ({
  environment: { ...service.environment, [variable]: value },
})

describe('the references in compose.yaml', () => {
  it('all resolve: addresses, ports, volumes, variables and health checks', () => {
    expect(composeFaults(composeFile(variables), nginx)).to.deep.equal([])
  })

  it('have faults in the file of version 0.1.0, which gives two services one address', () => {
    const faults = composeFaults(composeFile(variables, 'test/deploy/compose-with-faults.yaml'), nginx)
    expect(faults).to.include('minio: front gives 172.31.118.13 to rooms-1 too')
    expect(faults).to.include('deploy/nginx.conf: 172.31.118.13 is rooms-1 and minio')
  })

  it('may not contain an address outside the network, or the address of its gateway', () => {
    const at = (address: string) => () => ({ networks: { front: { ipv4_address: address }, back: null } })
    expect(faultsWith('s3', at('172.31.119.14'))).to.deep.equal([
      's3: 172.31.119.14 is not in front (172.31.118.0/24)',
      'deploy/nginx.conf: 172.31.118.14 is nobody',
    ])
    expect(faultsWith('s3', at('172.31.118.1'))[0]).to.equal('s3: front gives 172.31.118.1 to its gateway too')
  })

  it('may not contain a URL of an unknown service, or of a port on which the service does not listen', () => {
    expect(faultsWith('api-1', withVariable('REDIS_URL', 'redis://cache:6379'))).to.deep.equal([
      'api-1 REDIS_URL: cache is nobody',
    ])
    expect(faultsWith('api-1', withVariable('REDIS_URL', 'redis://redis:6380'))).to.deep.equal([
      'api-1 REDIS_URL: redis does not listen on 6380',
    ])
    expect(faultsWith('s3', withVariable('VGW_PORT', ':7070'))).to.include(
      'deploy/nginx.conf: s3 does not listen on 9000',
    )
    expect(faultsWith('nginx', () => ({ ports: ['127.0.0.1:8080:80'] }))).to.deep.equal([
      'nginx: publishes 80, where it does not listen',
    ])
  })

  it('may not lead to a service on another network', () => {
    expect(faultsWith('redis', () => ({ networks: ['front'] }))).to.deep.equal([
      'projector-1 REDIS_URL: cannot reach redis',
      'projector-2 REDIS_URL: cannot reach redis',
    ])
  })

  it('may not name a volume that is undeclared, missing, unused or shared', () => {
    const mounting = (...volumes: string[]) => faultsWith('eventstore', () => ({ volumes }))
    expect(mounting('logs:/var/lib/eventstore')).to.deep.equal([
      'eventstore: there is no volume logs',
      'no service uses the volume log',
    ])
    expect(mounting('log:/var/lib/eventstore', './deploy/none.conf:/etc/none.conf:ro')).to.deep.equal([
      'eventstore: ./deploy/none.conf is not there',
    ])
    expect(mounting('log:/var/lib/eventstore', 'rankings:/spare')).to.deep.equal([
      'redis: eventstore keeps its data in rankings too',
    ])
  })

  it('may not set an unknown variable or an invalid value', () => {
    expect(faultsWith('rooms-1', withVariable('REALTIME_SECRT', 'x'))).to.deep.equal([
      'rooms-1: the program knows no variable REALTIME_SECRT',
    ])
    expect(faultsWith('rooms-1', withVariable('ROLES', 'room'))).to.deep.equal([
      'rooms-1: ROLES.0: must be api, projector, rooms, or several of them with commas between.',
    ])
  })

  it('may not contain a health check that calls another container, or lacks its script or a variable', () => {
    const checking = (...test: string[]) => faultsWith('redis', () => ({ healthcheck: { test } }))
    expect(checking('CMD', 'curl', 'http://localhost:6380/')).to.deep.equal([
      'redis: its health check asks localhost',
      'redis: its health check asks 6380',
    ])
    expect(checking('CMD', 'sh', '/redis-health.sh')).to.deep.equal(['redis: its health check has no /redis-health.sh'])
    expect(checking('CMD-SHELL', 'redis-cli -a "$PASSWORD" ping')).to.deep.equal([
      'redis: its health check has no variable PASSWORD',
    ])
  })
})
