import { appendFileSync } from 'node:fs'
import { registerHooks } from 'node:module'
import { isMainThread } from 'node:worker_threads'

// Node imports this before a program, and from then on each file that the program loads stands in the file LOADED.

const { LOADED } = process.env
if (LOADED !== undefined && isMainThread)
  registerHooks({
    load(url, context, next) {
      appendFileSync(LOADED, `${url}\n`)
      return next(url, context)
    },
  })
