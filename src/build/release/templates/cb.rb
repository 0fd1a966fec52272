class Cb < Formula
  desc "@SUMMARY@"
  homepage "@HOMEPAGE@"
  version "@VERSION@"
  license "@LICENSE@"

@FORMULA_URLS@

  def install
    bin.install "cb"
    man1.install Dir["completions/man/*.1"]
    bash_completion.install "completions/cb.bash" => "cb"
    zsh_completion.install "completions/cb.zsh" => "_cb"
    fish_completion.install "completions/cb.fish"
  end

  test do
    assert_equal "@VERSION@\n", shell_output("#{bin}/cb --version")
  end
end
