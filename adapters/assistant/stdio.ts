import process from 'node:process'

import { createBridge } from './bridge.ts'

/** The address of a Perch on this machine that was told nothing else. */
const USUAL_URL = 'http://127.0.0.1:8080'

/**
 * `npm run --silent mcp`: an assistant that starts its tools as programs speaks to a Perch that runs, here or elsewhere.
 * Standard output carries the protocol alone, and sentences for people go to standard error.
 */
const { PERCH_TOKEN: token = '', PERCH_URL: url = USUAL_URL } = process.env
const complain = (sentence: string) => void process.stderr.write(`${sentence}\n`)

if (!/^perch_[\w-]+$/.test(token.trim())) {
  complain('PERCH_TOKEN is the token that /assistant new shows once, in a chat with Perch.')
  process.exitCode = 1
} else if (!URL.canParse(url) || !/^https?:$/.test(new URL(url).protocol)) {
  complain('PERCH_URL is the address of Perch, such as https://perch.example.com.')
  process.exitCode = 1
} else {
  const bridge = createBridge({
    ...{ url: url.replace(/\/+$/, ''), token: token.trim(), complain },
    write: (line) => void process.stdout.write(`${line}\n`),
  })
  process.stdin.setEncoding('utf8')
  for await (const text of process.stdin) bridge.hears(String(text))
  await bridge.ends()
}
