// Sequences of pictures, controlled by buttons, a slider or arrow keys, or played automatically.

const secondsPerFrame = 0.9;

class StepperView {
  constructor(stepper) {
    this.stepper = stepper;
    this.last = stepper.frames.length - 1;
    this.addresses = stepper.frames.map((frame) => pictureAddress(frame.svg));
    this.place = 0;
    this.timer = null;
    this.picture = element('img', { class: 'paper', decoding: 'sync' });
    this.caption = element('p', { class: 'frame-caption', 'aria-live': 'polite' });
    this.counter = element('output');
    this.previous = this.button('Previous', () => this.leaf(-1));
    this.next = this.button('Next', () => this.leaf(1));
    this.play = this.button('Play', () => (this.timer === null ? this.start() : this.stop()));
    this.slider = element('input', { type: 'range', min: 0, max: this.last, value: 0, 'aria-label': 'Frame', autocomplete: 'off' });
    this.slider.addEventListener('input', () => { this.stop(); this.go(Number(this.slider.value)); });
  }

  button(text, action) {
    const button = element('button', { type: 'button' }, text);
    button.addEventListener('click', action);
    return button;
  }

  go(place) {
    this.place = Math.min(Math.max(place, 0), this.last);
    const frame = this.stepper.frames[this.place];
    this.picture.src = this.addresses[this.place];
    this.picture.alt = frame.caption;
    this.caption.textContent = frame.caption;
    this.counter.textContent = `frame ${this.place + 1} of ${this.last + 1}`;
    this.slider.value = this.place;
    this.slider.setAttribute('aria-valuetext', this.counter.textContent);
    this.previous.disabled = this.place === 0;
    this.next.disabled = this.place === this.last;
  }

  leaf(by) {
    this.stop();
    this.go(this.place + by);
  }

  start() {
    if (this.place === this.last) this.go(0);
    this.play.textContent = 'Pause';
    this.timer = setInterval(() => {
      this.go(this.place + 1);
      if (this.place === this.last) this.stop();
    }, 1000 * secondsPerFrame);
  }

  stop() {
    clearInterval(this.timer);
    this.timer = null;
    this.play.textContent = 'Play';
  }

  key(event) {
    const places = { ArrowLeft: this.place - 1, ArrowRight: this.place + 1, Home: 0, End: this.last };
    if (!(event.key in places) || event.altKey || event.ctrlKey || event.metaKey) return;
    event.preventDefault();
    this.stop();
    this.go(places[event.key]);
  }

  section() {
    this.go(0);
    const viewer = element('div', { class: 'stepper', tabindex: '0', role: 'group', 'aria-label': `${this.stepper.title}: leaf with the arrow keys` },
      this.picture, element('div', { class: 'controls' }, this.previous, this.play, this.next, this.slider, this.counter), this.caption);
    viewer.addEventListener('keydown', (event) => this.key(event));
    return element('section', { 'data-stepper': this.stepper.name },
      element('h2', {}, this.stepper.title), element('p', { class: 'caption' }, this.stepper.caption), viewer);
  }
}

function showSteppers() {
  const full = data.steppers.filter((stepper) => stepper.frames.length > 0);
  document.getElementById('steppers').append(...full.map((stepper) => new StepperView(stepper).section()));
}
