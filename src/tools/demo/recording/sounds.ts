import type { Random } from '#tools/seed/random.ts'

type Sound = { source: string; title?: string }

/** A tune over noise, or each in a track of its own with a voice between them. */
export function makeSounds(
  input: { seconds: number; hasTracks: boolean },
  random: Random,
): Sound[] {
  const [game, tune] = [noise(input.seconds, random), melody(input.seconds, random)]
  if (!input.hasTracks) return [{ source: `${tune}[tune];${game}[game];[tune][game]amix=inputs=2` }]
  return [
    { source: game, title: 'Game' },
    { source: voice(input.seconds, random), title: 'Voice' },
    { source: tune, title: 'Music' },
  ]
}

function melody(seconds: number, random: Random): string {
  const root = random.pick([196, 220, 247, 262, 294])
  const [pace, step] = [random.pick([3, 4, 5, 6]), random.pick([1, 2, 3])]
  const note = (of: string) => `${root}*pow(2,mod(7*mod(${of},5),12)/12)`
  const lead = `0.16*sin(6.283*t*${note(`floor(t*${pace})*${step}+floor(t/4)`)})*exp(-5*mod(t*${pace},1))`
  const bass = `0.14*sin(6.283*t*0.25*${note('floor(t)*2')})*exp(-1.5*mod(t,1))`
  return `aevalsrc='${lead}+${bass}|${bass}+0.7*${lead}':s=48000:d=${seconds}`
}

function noise(seconds: number, random: Random): string {
  const every = (random.integer(14, 31) / 10).toFixed(1)
  const shots = `volume='0.12+0.6*exp(-14*mod(t+1,${every}))':eval=frame`
  return `anoisesrc=d=${seconds}:c=brown:r=48000:a=0.5:seed=${random.integer(1, 9999)},asetnsamples=480,${shots}`
}

/** Muffled speech. */
function voice(seconds: number, random: Random): string {
  const pitch = random.integer(105, 190)
  const words = '(0.5+0.5*sin(6.283*t*2.7))*gt(mod(t,5),1.4)'
  const tone = [1, 2, 3, 5].map((times) => `sin(6.283*t*${pitch * times})/${times + 1}`).join('+')
  return `aevalsrc='0.3*${words}*(${tone})*(0.7+0.3*sin(6.283*t*0.6))':s=48000:d=${seconds},lowpass=f=1800`
}
