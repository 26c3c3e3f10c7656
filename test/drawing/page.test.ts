import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'

import { describe, expect, test } from 'vitest'

import { plainText, type Text } from '../../src/message/message.ts'
import type { DrawingOrder } from '../../src/message/picture.ts'
import { GALLERY } from './gallery.ts'
import { drawnAt, pixelsIn } from './png.ts'
import { readRecorded } from './recorded.ts'

const PAGE = new URL('../../docs/pictures.md', import.meta.url)
const FOLDER = new URL('../../docs/pictures/', import.meta.url)
/** Half of what people get. A page shows them half as wide again. */
const WIDTH = 540
const COLUMNS = 3
const MOST_KB = { one: 100, all: 2_500 }

const recorded = readRecorded()
const shown = Object.entries(GALLERY).flatMap(([section, pictures]) =>
  pictures.map(({ file, of = file, caption, reader, format }) => {
    const found = recorded.get(of)
    if (!found) throw new Error(`${of} was not recorded`)
    const order = { ...found, reader: { ...found.reader, ...reader }, format: format ?? found.format }
    return { section, file, caption, order }
  }),
)

test('docs/pictures has these pictures and no others', () => {
  if (process.env['UPDATE_DOCS']) {
    rmSync(FOLDER, { recursive: true, force: true })
    mkdirSync(FOLDER)
  } else expect(readdirSync(FOLDER).toSorted()).toEqual(shown.map(({ file }) => `${file}.png`).toSorted())
  expect(shown.length).toBeGreaterThanOrEqual(24)
})

describe('the picture', () => {
  test.each(shown)('$file is as it would be drawn now', async ({ file, order }) => {
    const path = new URL(`${file}.png`, FOLDER)
    const png = await drawnAt(WIDTH, order)
    if (process.env['UPDATE_DOCS']) writeFileSync(path, png)
    const kept = existsSync(path) ? readFileSync(path) : null
    expect(kept && pixelsIn(kept).equals(pixelsIn(png)), 'npm run docs draws it anew').toBe(true)
    expect(png.length / 1_000).toBeLessThan(MOST_KB.one)
  })
})

test('docs/pictures is small', () => {
  const sizes = readdirSync(FOLDER).map((name) => readFileSync(new URL(name, FOLDER)).length / 1_000)
  expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThan(MOST_KB.all)
})

/** What people are told who cannot see it. */
function alternative({ picture, reader }: DrawingOrder): string {
  const text = plainText(picture.words as Text, { now: picture.until, zone: reader.zone })
  return text.replaceAll(/[&<>"]/g, (character) => `&#${character.charCodeAt(0)};`)
}

test('docs/pictures.md shows each with what one sees', () => {
  const sections = Object.keys(GALLERY).map((section) => {
    const all = shown
      .filter((one) => one.section === section)
      .map(
        ({ file, caption, order }) =>
          `<img src="pictures/${file}.png" width="270" alt="${alternative(order)}"><br>${caption}`,
      )
    const rows = Array.from({ length: Math.ceil(all.length / COLUMNS) }, (_, row) => {
      const cells = all.slice(row * COLUMNS, (row + 1) * COLUMNS)
      return `| ${[...cells, ...Array.from({ length: COLUMNS - cells.length }, () => '')].join(' | ')} |`
    })
    return `## ${section}\n\n| | | |\n|---|---|---|\n${rows.join('\n')}\n\n`
  })
  const now = `\n${sections.join('')}`
  const part = /(<!-- the pictures begins -->\n)([^]*?)(<!-- the pictures ends -->)/
  const page = readFileSync(PAGE, 'utf8')
  if (process.env['UPDATE_DOCS'])
    writeFileSync(
      PAGE,
      page.replace(part, (_all, begins: string, _old, ends: string) => `${begins}${now}${ends}`),
    )
  expect(part.exec(readFileSync(PAGE, 'utf8'))?.[2]).toBe(now)
})
