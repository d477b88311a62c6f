"""GNU parallel, here and over ssh to an sshd of the test's own: the bytes of one process, also if a part is killed."""

import os
import pwd
import socket
import subprocess
import time
import unittest

from harness import FarmTest, need

need("parallel")


class Here(FarmTest):
    def test_same_bytes_as_one_process(self):
        self.assertEqual(self.link_on_farm("parallel.sh", [], self.program), self.one_process())

    def test_a_killed_part_is_done_again(self):
        self.assertEqual(self.link_on_farm("parallel.sh", [], self.killed_once()), self.one_process())
        self.assert_killed_once()

    def test_a_part_that_hangs_is_done_again(self):
        hangs = self.killed_once(also="time.sleep(600)")
        self.assertEqual(self.link_on_farm("parallel.sh", ["--seconds", "20"], hangs), self.one_process())
        self.assert_killed_once()

    def test_exit_status_and_messages_are_those_of_one_process(self):
        with open(self.work / "pipelines.jsonl", "a", encoding="utf-8") as manifest:
            manifest.write('{"name": "broken", "stages": {"vert": "broken.vert", "frag": "shaders/ui.frag"}}\n')
        (self.work / "broken.vert").write_text("#version 450\nvoid main() { gl_Position = nothing; }\n")
        command = ["link", "--manifest", "pipelines.jsonl", "-o", "out", "-q"]
        one = subprocess.run([self.program, *command, "--report", "one.json"], cwd=self.work, capture_output=True, text=True)
        self.assertEqual(one.returncode, 2)
        farm = subprocess.run([self.farm("parallel.sh"), "--shards", "3", "--", self.program, *command, "--report", "farm.json"],
                              cwd=self.work, capture_output=True, text=True)
        self.assertEqual((farm.returncode, farm.stderr), (2, one.stderr))
        self.assertEqual((self.work / "farm.json").read_text(), (self.work / "one.json").read_text())

    def test_a_part_that_never_ends_well_is_an_error(self):
        command = [self.farm("parallel.sh"), "--attempts", "2", "--", "/bin/false", "link", "--manifest", "pipelines.jsonl", "-o", "out",
                   "--report", "report.json"]
        run = subprocess.run(command, cwd=self.work, capture_output=True, text=True)
        self.assertEqual(run.returncode, 1)
        self.assertIn("part 1 of 8 was not done in 2 attempts", run.stderr)
        self.assertFalse((self.work / "report.json").exists())


class OverSsh(FarmTest):
    def setUp(self):
        need("sshd", "ssh", "ssh-keygen", "rsync")
        super().setUp()
        self.port = self.start_sshd()

    def start_sshd(self):
        keys = self.dir / "ssh"
        keys.mkdir(mode=0o700)
        for name in ("host", "user"):
            subprocess.run(["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", keys / name], check=True)
        (keys / "authorized_keys").write_bytes((keys / "user.pub").read_bytes())
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            port = free.getsockname()[1]
        (keys / "sshd_config").write_text(
            f"Port {port}\nListenAddress 127.0.0.1\nHostKey {keys}/host\nAuthorizedKeysFile {keys}/authorized_keys\n"
            f"PidFile none\nUsePAM no\nStrictModes no\nPasswordAuthentication no\nMaxStartups 100\n")
        if os.geteuid() == 0:
            os.makedirs("/run/sshd", exist_ok=True)
        sshd = subprocess.Popen([self.path_of("sshd"), "-D", "-E", keys / "log", "-f", keys / "sshd_config"])
        self.addCleanup(sshd.wait)
        self.addCleanup(sshd.terminate)
        (keys / "ssh_config").write_text(
            f"Host here\n HostName 127.0.0.1\n Port {port}\n User {pwd.getpwuid(os.geteuid()).pw_name}\n IdentityFile {keys}/user\n"
            f" IdentitiesOnly yes\n UserKnownHostsFile {keys}/known\n StrictHostKeyChecking accept-new\n LogLevel ERROR\n")
        self.ssh = f"ssh -F {keys}/ssh_config"
        for _ in range(200):
            if subprocess.run([*self.ssh.split(), "here", "true"], capture_output=True).returncode == 0:
                return port
            self.assertIsNone(sshd.poll(), "sshd has ended")
            time.sleep(0.05)
        self.fail((keys / "log").read_text())

    def link_over_ssh(self, program):
        options = ["--sshlogin", "2/here", "--send", "shaders"]
        return self.link_on_farm("parallel.sh", options, program, PARALLEL_SSH=self.ssh)

    def test_same_bytes_as_one_process(self):
        self.assertEqual(self.link_over_ssh(self.program), self.one_process())

    def test_a_killed_part_is_done_again(self):
        # The shell that the job runs in, too: for ssh the connection is gone.
        killed = self.killed_once(also="os.kill(int(open(f'/proc/{os.getppid()}/stat').read().split()[3]), signal.SIGKILL)")
        self.assertEqual(self.link_over_ssh(killed), self.one_process())
        self.assert_killed_once()


if __name__ == "__main__":
    unittest.main()
