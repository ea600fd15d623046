import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, open, writeFile } from 'node:fs/promises'
import { userInfo } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { S3mini } from 's3mini'
import { findFreePort } from '#test/support/free-port.ts'
import { until } from '#test/support/until.ts'
import type { StoreServer } from './store-server.ts'

const run = promisify(execFile)

/** Debian's own, which has Swift as a library. */
const PYTHON = '/usr/bin/python3'
const PACKAGES = 'swift-proxy swift-account swift-container swift-object'

/** Whether all is there that is needed, and the folder's file system takes the attributes that Swift gives its files. */
const PROBE = `
import os, sys
import swift.common.middleware.s3api.s3api, swift.common.ring
import swift.account.server, swift.container.server, swift.obj.server, swift.proxy.server
os.setxattr(sys.argv[1], 'user.swift.metadata', b'1')
`

/** What the command of a server does, but without the configuration in /etc/swift. */
const SERVER = `
import sys
from swift.common import utils
utils.SWIFT_CONF_FILE = sys.argv[1] + '/swift.conf'
from swift.common.wsgi import run_wsgi
section = sys.argv[2] + '-server'
sys.exit(run_wsgi('%s/%s.conf' % (sys.argv[1], section), section, use_console=True))
`

/** One file on one device of this machine is all that a ring has. */
const RINGS = `
import sys
from swift.common.ring import RingBuilder
folder = sys.argv[1]
for name, port in zip(('account', 'container', 'object'), map(int, sys.argv[2:])):
    builder = RingBuilder(4, 1, 1)
    builder.add_dev(dict(region=1, zone=1, ip='127.0.0.1', port=port, device='disk', weight=1))
    builder.rebalance()
    builder.get_ring().save('%s/%s.ring.gz' % (folder, name))
`

/** Those that are asked end before those that they ask, so that none of them sees the others end. */
const SERVERS = ['proxy', 'object', 'container', 'account'] as const
type Server = (typeof SERVERS)[number]

const BUCKET = 'clutch'
const REGION = 'us-east-1'
/** `tempauth` insists on a cache, and does without its answers. */
const NOBODY = '127.0.0.1:1'
const [ACCOUNT, USER, KEY] = ['community', 'clutch', 'correct-horse']
const ACCESS_KEY = `${ACCOUNT}:${USER}`

/** Why OpenStack Swift cannot be tried on this machine, as a sentence; undefined when it can. @param folder exists */
export async function whyNoSwift(folder: string): Promise<string | undefined> {
  try {
    await run(PYTHON, ['-c', PROBE, folder])
    return undefined
  } catch (error) {
    const { stderr = '' } = error as { stderr?: string }
    if (stderr.includes('OSError')) {
      return 'OpenStack Swift needs a file system with extended attributes.'
    }
    return `OpenStack Swift is not installed. In Debian it is: apt-get install ${PACKAGES}`
  }
}

/**
 * Starts OpenStack Swift, with the API of S3 in front, as four processes on ports of loopback; and makes a bucket.
 * @param folder is made, and holds all that the servers write
 */
export async function startSwift(folder: string): Promise<StoreServer> {
  const ports = {} as Record<Server, number>
  for (const server of SERVERS) ports[server] = await findFreePort()
  await writeConfiguration(folder, ports)
  const endpoint = `http://127.0.0.1:${ports.proxy}`
  let children: ChildProcess[] = []
  const killAll = () => {
    for (const child of children) child.kill('SIGKILL')
  }
  process.once('exit', killAll)

  async function start(): Promise<void> {
    children = await Promise.all(SERVERS.map((server) => startServer(folder, server)))
    for (const port of Object.values(ports)) await until(() => isReady(port))
  }

  async function kill(): Promise<void> {
    const exits = children.map((child) => child.exitCode ?? child.signalCode ?? once(child, 'exit'))
    killAll()
    await Promise.all(exits)
  }

  try {
    await start()
    await makeBucket(endpoint)
  } catch (error) {
    await kill()
    throw error
  }
  return {
    name: 'OpenStack Swift',
    endpoint,
    mediaVariables: (prefix, through = endpoint) => ({
      MEDIA_STORE: `s3://${BUCKET}/${prefix}`,
      MEDIA_S3_ENDPOINT: through,
      MEDIA_S3_REGION: REGION,
      MEDIA_S3_ACCESS_KEY_ID: ACCESS_KEY,
      MEDIA_S3_SECRET_ACCESS_KEY: KEY,
    }),
    start,
    kill,
    async stop() {
      await kill()
      process.off('exit', killAll)
    },
  }
}

async function makeBucket(endpoint: string): Promise<void> {
  const bucket = new S3mini({
    ...{ endpoint: `${endpoint}/${BUCKET}`, region: REGION },
    ...{ accessKeyId: ACCESS_KEY, secretAccessKey: KEY },
  })
  if (!(await bucket.createBucket())) throw new Error('Swift did not make a bucket.')
}

async function writeConfiguration(folder: string, ports: Record<Server, number>): Promise<void> {
  await mkdir(join(folder, 'devices', 'disk'), { recursive: true })
  const files = {
    swift: '[swift-hash]\nswift_hash_path_suffix = clutch\n',
    'proxy-server': `${settings(folder, ports.proxy)}
[pipeline:main]
pipeline = catch_errors healthcheck cache s3api tempauth slo dlo proxy-server
[app:proxy-server]
use = egg:swift#proxy
allow_account_management = true
account_autocreate = true
node_timeout = 60
recoverable_node_timeout = 60
conn_timeout = 10
error_suppression_limit = 1000000
[filter:cache]
use = egg:swift#memcache
memcache_servers = ${NOBODY}
[filter:tempauth]
use = egg:swift#tempauth
user_${ACCOUNT}_${USER} = ${KEY} .admin
${filters('catch_errors', 'healthcheck', 's3api', 'slo', 'dlo')}`,
    ...Object.fromEntries(
      SERVERS.filter((server) => server !== 'proxy').map((server) => [
        `${server}-server`,
        `${settings(folder, ports[server])}
[pipeline:main]
pipeline = healthcheck ${server}-server
[app:${server}-server]
use = egg:swift#${server}
container_update_timeout = 60
node_timeout = 60
${filters('healthcheck')}`,
      ]),
    ),
  }
  for (const [name, text] of Object.entries(files)) {
    await writeFile(join(folder, `${name}.conf`), text)
  }
  const { account, container, object } = ports
  await run(PYTHON, ['-c', RINGS, folder, ...[account, container, object].map(String)])
}

/** What all servers are told; without workers a server is one process. */
function settings(folder: string, port: number): string {
  return `[DEFAULT]
bind_ip = 127.0.0.1
bind_port = ${port}
workers = 0
user = ${userInfo().username}
swift_dir = ${folder}
devices = ${join(folder, 'devices')}
mount_check = false
fallocate_reserve = 0
log_level = WARNING
`
}

function filters(...names: string[]): string {
  return names.map((name) => `[filter:${name}]\nuse = egg:swift#${name}\n`).join('')
}

/** It writes what it says into a file next to its configuration. */
async function startServer(folder: string, server: Server): Promise<ChildProcess> {
  const log = await open(join(folder, `${server}.log`), 'a')
  const child = spawn(PYTHON, ['-c', SERVER, folder, server], {
    cwd: folder,
    env: { PATH: process.env.PATH ?? '', PYTHONDONTWRITEBYTECODE: '1' },
    stdio: ['ignore', log.fd, log.fd],
  })
  await log.close()
  return child
}

async function isReady(port: number): Promise<boolean> {
  const answer = await fetch(`http://127.0.0.1:${port}/healthcheck`).catch(() => undefined)
  await answer?.arrayBuffer().catch(() => undefined)
  return answer?.status === 200
}
