import { IconButton } from '#client/kit/control/icon-button.tsx'
import { look, row } from '#client/kit/layout/layout.ts'
import '@mantine/core/styles/Slider.layer.css'
import { Button, Slider } from '@mantine/core'
import { IconMinus, IconPlus } from '@tabler/icons-react'
import { type KeyboardEvent, type PointerEvent, useRef, useState } from 'react'
import { Dialog } from '#client/kit/dialog/dialog.tsx'
import { useHasKeys } from '#client/platform/use-has-keys.ts'
import { useObjectUrl } from '#client/platform/use-object-url.ts'
import { type Crop, cropBox, keepInside, type Size, WHOLE, ZOOM_MAX } from './crop-geometry.ts'
import { cropPicture } from './crop-picture.ts'
import classes from './picture-cropper.module.css'

const KEY_STEP = 0.02
const ZOOM_STEP = 0.1

type PictureCropperProps = {
  file: File
  title: string
  /** Pixels of the result. */
  output: Size
  isRound: boolean
  maxBytes: number
  isSaving: boolean
  problem: string | undefined
  onSave: (picture: Blob) => void
  onClose: () => void
}

/** Moved by dragging or arrow keys, with zoom. */
export default function PictureCropper(props: PictureCropperProps) {
  const { output, isRound, maxBytes, isSaving } = props
  const url = useObjectUrl(props.file)
  const image = useRef<HTMLImageElement>(null)
  const [size, setSize] = useState<Size>()
  const [crop, setCrop] = useState(WHOLE)
  const [failure, setFailure] = useState<string>()
  const aspect = output.width / output.height
  const change = (next: Partial<Crop>) => {
    if (size) setCrop((old) => keepInside(size, aspect, { ...old, ...next }))
  }
  const save = async () => {
    if (!image.current) return
    try {
      props.onSave(await cropPicture(image.current, { crop, output, maxBytes }))
    } catch (error) {
      setFailure(error instanceof Error ? error.message : 'This picture could not be cropped.')
    }
  }
  const problem = failure ?? props.problem
  return (
    <Dialog onClose={props.onClose} title={props.title} size={isRound ? 'md' : 'xl'}>
      <CropStage
        {...{ url, image, size, crop, aspect, isRound }}
        onCrop={change}
        onLoad={setSize}
        onFail={() => setFailure('This picture could not be read. Choose a PNG or a JPEG.')}
      />
      <div className={classes.zoom}>
        <IconButton
          aria-label="Zoom out"
          onClick={() => change({ zoom: crop.zoom - 2 * ZOOM_STEP })}
        >
          <IconMinus size={20} aria-hidden />
        </IconButton>
        <Slider
          thumbLabel="Zoom"
          thumbValueText={(zoom) => `${Math.round(zoom * 100)}%`}
          label={null}
          min={1}
          max={ZOOM_MAX}
          step={0.01}
          value={crop.zoom}
          disabled={!size}
          onChange={(zoom) => change({ zoom })}
        />
        <IconButton
          aria-label="Zoom in"
          onClick={() => change({ zoom: crop.zoom + 2 * ZOOM_STEP })}
        >
          <IconPlus size={20} aria-hidden />
        </IconButton>
      </div>
      <p className={look('problem')} role="alert">
        {problem}
      </p>
      <div className={row(12, 'end', 'stretch', 'above16')}>
        <Button variant="default" onClick={props.onClose}>
          Cancel
        </Button>
        <Button disabled={!size || isSaving} onClick={() => void save()}>
          {isSaving ? 'Saving...' : 'Save picture'}
        </Button>
      </div>
    </Dialog>
  )
}

type CropStageProps = {
  url: string | undefined
  image: React.RefObject<HTMLImageElement | null>
  size: Size | undefined
  crop: Crop
  aspect: number
  isRound: boolean
  onCrop: (crop: Partial<Crop>) => void
  onLoad: (size: Size) => void
  onFail: () => void
}

/** Two fingers or the wheel zoom. */
function CropStage(props: CropStageProps) {
  const { size, crop, aspect, onCrop } = props
  const hasKeys = useHasKeys()
  const pointers = useRef(new Map<number, { x: number; y: number }>())
  const shown = size && cropBox(size, aspect, crop)

  const press = (event: PointerEvent<HTMLElement>) => {
    event.currentTarget.setPointerCapture(event.pointerId)
    pointers.current.set(event.pointerId, { x: event.clientX, y: event.clientY })
  }
  const move = (event: PointerEvent<HTMLElement>) => {
    const before = pointers.current.get(event.pointerId)
    if (!before || !size || !shown) return
    const here = { x: event.clientX, y: event.clientY }
    const other = [...pointers.current].find(([id]) => id !== event.pointerId)?.[1]
    pointers.current.set(event.pointerId, here)
    if (other) {
      onCrop({ zoom: (crop.zoom * distance(here, other)) / Math.max(1, distance(before, other)) })
      return
    }
    const scale = shown.width / event.currentTarget.clientWidth
    onCrop({
      x: crop.x - ((here.x - before.x) * scale) / size.width,
      y: crop.y - ((here.y - before.y) * scale) / size.height,
    })
  }
  const release = (event: PointerEvent) => pointers.current.delete(event.pointerId)
  const pressKey = (event: KeyboardEvent) => {
    const step = KEY_STEP / crop.zoom
    const next = {
      ArrowLeft: { x: crop.x - step },
      ArrowRight: { x: crop.x + step },
      ArrowUp: { y: crop.y - step },
      ArrowDown: { y: crop.y + step },
      '+': { zoom: crop.zoom + ZOOM_STEP },
      '=': { zoom: crop.zoom + ZOOM_STEP },
      '-': { zoom: crop.zoom - ZOOM_STEP },
    }[event.key]
    if (!next) return
    event.preventDefault()
    onCrop(next)
  }
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset cannot be a frame for dragging.
    <div
      className={classes.stage}
      style={{ aspectRatio: aspect }}
      data-round={props.isRound || undefined}
      role="group"
      aria-label={hasKeys ? 'Picture. The arrow keys move it, plus and minus zoom.' : 'Picture'}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: it is moved by keyboard.
      tabIndex={0}
      data-autofocus
      onPointerDown={press}
      onPointerMove={move}
      onPointerUp={release}
      onPointerCancel={release}
      onWheel={(event) => onCrop({ zoom: crop.zoom * (event.deltaY < 0 ? 1.06 : 1 / 1.06) })}
      onKeyDown={pressKey}
    >
      <img
        ref={props.image}
        className={classes.image}
        src={props.url}
        alt=""
        draggable={false}
        style={
          size &&
          shown && {
            width: `${(100 * size.width) / shown.width}%`,
            height: `${(100 * size.height) / shown.height}%`,
            left: `${(-100 * shown.left) / shown.width}%`,
            top: `${(-100 * shown.top) / shown.height}%`,
          }
        }
        onLoad={({ currentTarget: { naturalWidth: width, naturalHeight: height } }) =>
          props.onLoad({ width, height })
        }
        onError={props.onFail}
      />
    </div>
  )
}

type Point = { x: number; y: number }
const distance = (a: Point, b: Point) => Math.hypot(a.x - b.x, a.y - b.y)
