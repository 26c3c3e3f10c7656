import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

/** How `npm start` starts Perch from this folder, its root: the settings for Node, and the file. */
export function startWords(root: string): { settings: string[]; main: string } {
  const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
    scripts: { start: string }
  }
  const [, ...words] = scripts.start.split(' ')
  return { settings: words.slice(0, -1), main: words.at(-1) ?? '' }
}

/** What a script below a root needs to run with the settings of the program; no settings outside any root. */
export function likeProgram(script: string): { cwd: string; settings: string[] } {
  let root = dirname(script)
  while (!existsSync(join(root, 'package.json'))) {
    if (root === dirname(root)) return { cwd: dirname(script), settings: [] }
    root = dirname(root)
  }
  return { cwd: root, settings: startWords(root).settings }
}
