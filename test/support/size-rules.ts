import { posix } from 'node:path'

import { isListed } from './plug-rules.ts'
import { once, type Sources } from './sources.ts'

const MAX_LINES = 400
const MIN_LINES = 30
const MAX_FILES_PER_FOLDER = 15

/** Shorter files that are no plug points, each with its reason. */
const SHORT_FILES: Record<string, string> = {
  'adapters/assistant/stdio.ts': 'whoever imports it runs it',
  'adapters/web/page/fragment.ts': 'pure, so that it is tested without a browser',
  'adapters/web/page/wire.ts': 'the types of the JSON between the page and Perch',
  'src/alert/stats.ts': 'a noun of the contract between the engine and the metrics',
  'src/chat/action-link.ts': 'the port between whoever serves HTTP and the adapters that show links',
  'src/chat/client.ts': 'the port between the bot and whoever asks for people and tells nobody anything',
  'src/chat/notify-only.ts': 'three adapters share it',
  'src/engine/memory/silences.ts': 'each drawer of memory has its own file',
  'src/lib/data/remember.ts': 'a dozen files of six folders share it',
  'src/lib/text/csv.ts': 'a format with a standard and an attack of its own',
  'src/lib/text/escape.ts': 'keys of five files are made and taken apart by it',
  'src/lib/text/error-text.ts': 'every part that tells of a failure shares it',
  'src/lib/text/event-stream.ts': 'a format with a standard of its own, which two adapters read',
  'src/net/fence.ts': 'one fence before every request by HTTP',
  'src/ops/liveness/health.ts': 'the two addresses that a supervisor asks',
  'src/people/pin.ts': 'a noun of the contract',
  'src/polling/poller.ts': 'three pollers satisfy it',
  'src/runtime/http.ts': 'the port between the HTTP server and the adapters that answer there themselves',
  'src/runtime/route.ts': 'the port between the HTTP server and whoever answers at one of its paths',
  'src/start/backup-cli.ts': 'whoever imports it runs it',
  'src/venue/account.ts': 'a noun of the contract',
  'src/venues/sim/exchange/cash.ts': 'what doors and traders do with money, apart from trades',
}

/** Beside these, each kind of alert and each command has a file, however short. So has each room's part of a language. */
const PLUG_POINTS = [
  /^src\/main\.ts$/,
  /^src\/words\/\w+\//,
  /\/(config|index)\.ts$/,
  /^src\/stores\/[^/]+\/backups\.ts$/,
  /^src\/venues\/sim\/(doors|endpoints)\//,
]

/** Files too long or too short, folders too full, and files beside `main.ts` that belong in a folder. */
export function wrongSizes(sources: Sources): string[] {
  const lines = new Map([...sources].map(([path, text]) => [path, linesOf(text)]))
  return [
    ...tooLong(lines),
    ...tooShort(sources, lines),
    ...needlessReasons(lines),
    ...fullFolders(lines),
    ...loose(lines),
  ]
}

const linesOf = once((text) => text.trimEnd().split('\n').length)

function tooLong(lines: ReadonlyMap<string, number>): string[] {
  return [...lines]
    .filter(([, count]) => count > MAX_LINES)
    .map(([path, count]) => `${path} has ${count} lines, more than ${MAX_LINES}: cut it up`)
}

function tooShort(sources: Sources, lines: ReadonlyMap<string, number>): string[] {
  const isPlugPoint = (path: string) =>
    PLUG_POINTS.some((place) => place.test(path)) || isListed(path, sources.get(path) ?? '')
  return [...lines]
    .filter(([path, count]) => count < MIN_LINES && !(path in SHORT_FILES) && !isPlugPoint(path))
    .map(
      ([path, count]) =>
        `${path} has ${count} lines, fewer than ${MIN_LINES}: merge it, or give the reason in SHORT_FILES`,
    )
}

function needlessReasons(lines: ReadonlyMap<string, number>): string[] {
  return Object.keys(SHORT_FILES)
    .filter((path) => (lines.get(path) ?? MIN_LINES) >= MIN_LINES)
    .map((path) => `${path} is no short file: take it out of SHORT_FILES`)
}

function fullFolders(lines: ReadonlyMap<string, number>): string[] {
  const files = Map.groupBy(lines.keys(), (path) => posix.dirname(path))
  return [...files]
    .filter(([, { length }]) => length > MAX_FILES_PER_FOLDER)
    .map(([folder, { length }]) => `${folder} holds ${length} files, more than ${MAX_FILES_PER_FOLDER}`)
}

function loose(lines: ReadonlyMap<string, number>): string[] {
  return [...lines.keys()]
    .filter((path) => path !== 'src/main.ts' && path.split('/').length === 2)
    .map((path) => `${path} belongs in a folder`)
}
