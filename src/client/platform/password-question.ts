type Question = { answer: (isConfirmed: boolean) => void }

let current: Question | undefined
let asked: Promise<boolean> | undefined
const listeners = new Set<() => void>()

/** Concurrent callers share one dialog. */
export function askPassword(): Promise<boolean> {
  asked ??= new Promise((resolve) => {
    const answer = (isConfirmed: boolean) => {
      if (current?.answer !== answer) return
      asked = undefined
      change(undefined)
      resolve(isConfirmed)
    }
    change({ answer })
  })
  return asked
}

export function subscribeToQuestion(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

export function currentQuestion(): Question | undefined {
  return current
}

function change(question: Question | undefined): void {
  current = question
  for (const listener of listeners) listener()
}
