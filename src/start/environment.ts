import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { parseEnv } from 'node:util'

import { errorText } from '../lib/text/error-text.ts'
import { type Config, decoded, parseConfig, timeZoneOf } from './config.ts'
import { type AdapterConfig, chooseStore, type StoreConfig, type VenueConfig } from './plugins.ts'

const WRONG_CONFIGURATION = 2

/** Reads the environment and a `.env` file. Ends the process if they are not sufficient. */
export async function configured(): Promise<Config> {
  if (existsSync('.env')) readVariables('.env')
  dropEmptyVariables()
  setTimeZone()
  const parsed = parseConfig(process.env, {
    venues: await plugins<VenueConfig>('../venues/'),
    adapters: await plugins<AdapterConfig>('../../adapters/'),
    stores: await plugins<StoreConfig>('../stores/'),
  })
  if (parsed.ok) return parsed.config
  process.stderr.write(`Perch cannot start:\n${parsed.mistakes.map((mistake) => `- ${mistake}\n`).join('')}`)
  process.exit(WRONG_CONFIGURATION)
}

/** The store that takes such a DATABASE_URL. Throws a sentence if there is none. */
export async function storeOf(url: string): Promise<string> {
  const mistakes: string[] = []
  const stores = await plugins<StoreConfig>('../stores/')
  const { store } = chooseStore(
    { DATABASE_URL: url },
    { venues: {}, adapters: {}, stores },
    undefined,
    mistakes,
  )
  if (store === null) throw new Error(mistakes.join(' '))
  return store
}

/** Prints one sentence. The stack would not help to correct a setting. */
export function refuse(error: unknown, verbose: boolean, what = 'Perch cannot start'): never {
  process.stderr.write(`${what}: ${errorText(error)}\n`)
  if (verbose && error instanceof Error) process.stderr.write(`${error.stack ?? ''}\n`)
  process.exit(1)
}

/** The file argument of a command, if any. Refuses options, so that a mistyped one does not become a file name. */
export function fileNamed(words: readonly string[], command: string): string | null {
  const [file, ...more] = words
  if (file !== undefined && (more.length > 0 || file.startsWith('-')))
    throw new Error(`I do not understand “${words.join(' ')}”. Say ${command}, or ${command} -- <file>.`)
  return file ?? null
}

/** The venue whose records are taken away before the start, if any. */
export function venueToForget(words: readonly string[]): string | null {
  const [option, name, ...more] = words
  if (option === undefined) return null
  if (option !== '--forget' || name === undefined || name.startsWith('-') || more.length > 0)
    throw new Error(
      `I do not understand “${words.join(' ')}”. Say npm start, or npm start -- --forget <venue>.`,
    )
  return name
}

/** Imports the entry of one plugin folder. Only chosen plugins are loaded. */
export async function entry<T>(folder: string, name: string, file = 'index.ts'): Promise<T> {
  return ((await import(`${folder}${name}/${file}`)) as { default: T }).default
}

/** The `config.ts` of every folder there, by the folder's name. */
async function plugins<T>(folder: string): Promise<Record<string, T>> {
  const found: Record<string, T> = {}
  for (const one of readdirSync(new URL(folder, import.meta.url), { withFileTypes: true })) {
    if (!one.isDirectory() || !/^[a-z][a-z0-9-]*$/.test(one.name)) continue
    // A folder without a configuration is shared by its siblings.
    if (!existsSync(new URL(`${folder}${one.name}/config.ts`, import.meta.url))) continue
    found[one.name] = (await import(`${folder}${one.name}/config.ts`)) as T
  }
  return found
}

function readVariables(file: string): void {
  try {
    for (const [name, value] of Object.entries(parseEnv(decoded(readFileSync(file)))))
      process.env[name] ??= value
  } catch (error) {
    const why = errorText(error)
    throw new Error(`The file ${file} cannot be read: ${why}. Set it right, or remove it.`, { cause: error })
  }
}

/** Node finds no zone for values that other programs read, and times would then have none. Others are a mistake. */
function setTimeZone(): void {
  const { TZ: given } = process.env
  const zone = given === undefined ? undefined : timeZoneOf(given)
  if (zone === null) delete process.env['TZ']
  else if (zone !== undefined) process.env['TZ'] = zone
}

/** `VENUE_API_KEY=` in a file says nothing, and must not be read as a key. */
function dropEmptyVariables(): void {
  for (const [name, value] of Object.entries(process.env)) if (value?.trim() === '') delete process.env[name]
}
