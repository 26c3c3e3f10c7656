import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

import { DEMO_WALLETS } from '../../../src/venues/sim/play/catalogue.ts'
import { AFTER, BEFORE, CLIENTS } from './clients.ts'

const run = promisify(execFile)
const root = fileURLToPath(new URL('../../..', import.meta.url))

/** For generated code and what calls it: as strict as the compiler is. */
const TYPES = {
  compilerOptions: {
    ...{ strict: true, noUncheckedIndexedAccess: true, noPropertyAccessFromIndexSignature: false },
    ...{ target: 'ES2024', module: 'NodeNext', lib: ['ES2024', 'DOM', 'DOM.Iterable'], outDir: 'out' },
    ...{ rootDir: '.', skipLibCheck: true, types: ['node'], typeRoots: [join(root, 'node_modules/@types')] },
  },
  include: ['*.ts', 'venue'],
}

/**
 * `npm run venue:clients`: clients that well-known generators make of the venue's description, in a temporary folder, ask it all
 * it can be asked. They come from the registry, which is why this is no test of the suite.
 */
async function main(): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'perch-clients-'))
  const env = { ...process.env, SIM_PORT: '0', SIM_SPEED: '0', SIM_CONTROL: '1' }
  const venue = spawn(process.execPath, [join(root, 'src/venues/sim/alone.ts')], { env })
  try {
    const [said] = (await once(venue.stdout, 'data')) as [Buffer]
    const url = /http:\S+\d/.exec(said.toString())?.[0]
    if (url === undefined) throw new Error(`the venue did not start: ${said.toString()}`)
    await leaveOrder(url)
    for (const client of CLIENTS) await prove(client, folder, url)
  } finally {
    venue.kill()
    await rm(folder, { recursive: true })
  }
}

/** One on its way, which has a transaction to be read. */
async function leaveOrder(url: string): Promise<void> {
  const response = await fetch(`${url}/positions/v2?owner=${DEMO_WALLETS[0]}&ownershipType=SuperOwner`)
  const { positions } = (await response.json()) as { positions: { accountId: string }[] }
  const control = async (door: string, body: object) => {
    const done = await fetch(`${url}/_sim/${door}`, { method: 'POST', body: JSON.stringify(body) })
    if (!done.ok) throw new Error(`no order could be given: ${await done.text()}`)
  }
  await control('order', { accountId: positions[0]?.accountId, symbol: 'ETH', size: '0.01' })
  await control('advance', { ms: 1_000 })
}

async function prove(client: (typeof CLIENTS)[number], folder: string, url: string): Promise<void> {
  const cwd = join(folder, client.name.replaceAll(/\W/g, '-'))
  await mkdir(cwd)
  await writeFile(join(cwd, 'package.json'), '{"private":true,"type":"module"}')
  await writeFile(join(cwd, 'tsconfig.json'), JSON.stringify(TYPES))
  await writeFile(join(cwd, 'client.ts'), BEFORE + client.program + AFTER)
  // The generators bring a compiler of their own, which some of them need to be an older one.
  await run('npm', ['install', '--no-audit', '--no-fund', 'typescript@5.9.3', ...client.packages], { cwd })
  await run('npx', ['--no-install', ...client.generate(url)], { cwd })
  await run(process.execPath, [join(root, 'node_modules/typescript/bin/tsc')], { cwd })
  const { stdout } = await run(process.execPath, ['out/client.js', url, DEMO_WALLETS[0] ?? ''], { cwd })
  process.stdout.write(`${client.packages.join(' + ')}\n  types check, all five endpoints answer: ${stdout}`)
}

if (import.meta.main) await main()
