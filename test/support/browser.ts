import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, rename, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'

import packed from '@sparticuz/chromium'
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core'

/** Debian's, where the packed one does not run. */
const INSTALLED = '/usr/bin/chromium'
/** Not the package's own switches: these turn the browser's guards against other sites off. */
const PLAIN = ['--no-sandbox', '--disable-gpu']
/** Not in the folder for temporary files: that may be small and in memory, or somebody else's. */
const UNPACKED = join(import.meta.dirname, '../../node_modules/.cache/chromium')

/**
 * The package's own file names `/tmp/fonts` alone, which is not there. Without any font Chromium ends itself at the first
 * character that needs another one.
 */
const FONTS = `<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "fonts.dtd">
<fontconfig>
  <dir>${join(UNPACKED, 'fonts')}</dir>
  <cachedir>${join(UNPACKED, 'fonts-cache')}</cachedir>
</fontconfig>
`

/**
 * Unpacks Chromium once, with the fonts that come with it. Other tests may do so at the same time: the folder is
 * filled under another name.
 */
async function unpacked(): Promise<string> {
  if (!existsSync(UNPACKED)) {
    await mkdir(dirname(UNPACKED), { recursive: true })
    const own = await mkdtemp(`${UNPACKED}-`)
    const before = process.env['TMPDIR']
    process.env['TMPDIR'] = own
    try {
      await packed.executablePath()
    } finally {
      if (before === undefined) delete process.env['TMPDIR']
      else process.env['TMPDIR'] = before
    }
    await writeFile(join(own, 'fonts.conf'), FONTS)
    await rename(own, UNPACKED).catch(() => rm(own, { recursive: true }))
  }
  return join(UNPACKED, 'chromium')
}

/** A real Chromium; or null, with a message, where none runs. */
export async function startBrowser(): Promise<Browser | null> {
  const ways = [unpacked, async () => INSTALLED]
  const failures: string[] = []
  for (const way of ways) {
    try {
      return await chromium.launch({
        executablePath: await way(),
        args: PLAIN,
        env: { ...process.env, FONTCONFIG_FILE: join(UNPACKED, 'fonts.conf') },
      })
    } catch (error) {
      failures.push(String(error).split('\n', 1).join())
    }
  }
  process.stdout.write(
    `The tests of the page are skipped, since no Chromium runs here: ${failures.join('; ')}\n`,
  )
  return null
}

/** A page in a browser, and everything that went wrong in it. */
export interface Tab {
  page: Page
  context: BrowserContext
  /** Errors, warnings and breaches of the security policy, in the browser's words. */
  complaints: string[]
  /** Bytes on the wire, without those of charts: headers and compressed bodies. */
  bytes(): Promise<number>
}

export interface Screen {
  width: number
  height: number
  theme: 'dark' | 'light'
  language?: string
}

export async function openTab(
  browser: Browser,
  { width, height, theme, language = 'en-GB' }: Screen,
): Promise<Tab> {
  const context = await browser.newContext({
    ...{ viewport: { width, height }, colorScheme: theme, locale: language },
    // The page writes in the reader's zone, so that of the browser must not show.
    timezoneId: 'Pacific/Auckland',
    reducedMotion: 'reduce',
    // Phones have finer screens than desks.
    deviceScaleFactor: width < 600 ? 2 : 1,
  })
  const page = await context.newPage()
  const complaints: string[] = []
  page.on('console', (line) => {
    if (['error', 'warning'].includes(line.type())) complaints.push(line.text())
  })
  page.on('pageerror', (error) => complaints.push(String(error)))
  let bytes = 0
  const sizes: Promise<void>[] = []
  page.on('requestfinished', (request) => {
    // Recorded prices are for pictures.
    if (request.url().includes('/page/course')) return
    const size = request
      .sizes()
      .then(
        ({ responseBodySize, responseHeadersSize }) => void (bytes += responseBodySize + responseHeadersSize),
      )
      // A stream that the page has ended has no size.
      .catch(() => {})
    sizes.push(size)
  })
  return {
    ...{ page, context, complaints },
    async bytes() {
      await Promise.all(sizes)
      return bytes
    },
  }
}
